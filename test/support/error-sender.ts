import { randomUUID } from 'node:crypto';
import type { Answer } from './client.js';
import type { TrackedProject } from './builders/tracked-project.js';

/** The form in which something is sent to the intake of errors. */
export interface Sending {
  /** Path after the number of the project; `envelope/` by default. */
  readonly to?: string;
  /** Key in the query, unless null. */
  readonly key?: string | null;
  readonly root?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The root of the URLs in the DSNs of the service. */
export const COLLECTOR = '/api/v4/error_tracking/collector/api';

/** Sends bytes as an SDK does: no content type, the key in the query, and a slash at the end. */
export async function sendToIntake(
  base: string,
  { id, key: own }: Pick<TrackedProject, 'id' | 'key'>,
  body: string | Buffer,
  { to = 'envelope/', key = own, root = COLLECTOR, headers = {} }: Sending = {},
): Promise<Answer<{ id?: string; message?: string }>> {
  const query = key === null ? '' : `?sentry_key=${encodeURIComponent(key)}&sentry_version=7`;
  const bytes = new Uint8Array(Buffer.from(body));
  const answer = await fetch(`${base}${root}/${id}/${to}${query}`, { method: 'POST', body: bytes, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as { id?: string } };
}

/** Id of an event as SDKs make it. */
export const newEventId = (): string => randomUUID().replaceAll('-', '');

/** An event as SDKs send it, with a stack trace. */
export function sentEvent(values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'node',
    environment: 'production',
    release: '1.0.0',
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'x is not a function',
          stacktrace: { frames: [{ filename: 'app.js', function: 'main', lineno: 1, in_app: true }] },
        },
      ],
    },
    ...values,
  };
}

/** An envelope of items, each with a type (or a whole header) and a payload. */
export function envelopeOf(
  items: readonly (readonly [header: string | object, payload: unknown])[],
  header: Readonly<Record<string, unknown>> = { sent_at: new Date().toISOString() },
): string {
  const lines = items.map(([about, payload]) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return `${JSON.stringify(typeof about === 'string' ? { type: about } : about)}\n${text}\n`;
  });
  return `${JSON.stringify(header)}\n${lines.join('')}`;
}
