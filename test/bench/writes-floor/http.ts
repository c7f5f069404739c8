import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestLogger } from '#kernel/log/logger.js';
import { observeRequest } from '#kernel/log/metrics.js';
import { redactParams, redactText } from '#kernel/log/redaction.js';
import { acceptCorrelationId } from '#kernel/log/request-context.js';

/** The response to a request; `sent` runs after it was sent. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
  readonly sent?: () => void;
}

/** A request as the handlers see it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Origin of the links in the response. */
  readonly host: string;
  /** Id of the request in logs and responses. */
  readonly correlationId: string;
  readonly begunAt: number;
  /** Values for the log line of the request, once they are known. */
  readonly told: Told;
}

/** Filled in as a request proceeds. */
interface Told {
  route?: string;
  params?: Readonly<Record<string, unknown>>;
  user?: { readonly id: number; readonly username: string };
}

const MAX_BODY_BYTES = 20 * 1024 * 1024;
const DEADLINE_MS = 60_000;
const MOST_AT_ONCE = 1_000;
let running = 0;

/** The headers that `auth-core.md` 5.2 requires for every response. */
const HEADERS = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'max-age=0, private, must-revalidate',
  Vary: 'Origin',
};

/** A response that ends the request early. */
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** @throws Refusal unless it holds */
export function require(holds: boolean, status: number, message: string): asserts holds {
  if (!holds) throw new Refusal(status, message);
}

/** Reads a request to its end. */
export async function read(request: IncomingMessage): Promise<Sent> {
  const begunAt = performance.now();
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    require(size <= MAX_BODY_BYTES, 413, '413 Request Entity Too Large');
    parts.push(part as Buffer);
  }
  const [path = '', query = ''] = (request.url ?? '').split('?');
  return {
    ...{ method: request.method ?? '', path, query: new URLSearchParams(query), headers: request.headers },
    ...{ text: Buffer.concat(parts).toString('utf8'), host: `http://${request.headers.host ?? ''}` },
    ...{ correlationId: acceptCorrelationId(request.headers['x-request-id']), begunAt, told: {} },
  };
}

/** Limits concurrent requests, and ends those that take too long. @throws 503 */
export async function admitted(response: ServerResponse, work: () => Promise<Answer>): Promise<Answer> {
  require(running < MOST_AT_ONCE, 503, '503 Service Unavailable');
  running += 1;
  const timer = setTimeout(() => response.destroy(), DEADLINE_MS);
  try {
    return await work();
  } finally {
    running -= 1;
    clearTimeout(timer);
  }
}

/** Parses a JSON body as a hash; reports that of the request. @throws 400 */
export function json(given: string | Sent): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(typeof given === 'string' ? given : given.text);
  } catch {
    throw new Refusal(400, '400 Bad request');
  }
  require(typeof value === 'object' && value !== null && !Array.isArray(value), 400, '400 Bad request');
  if (typeof given !== 'string') given.told.params = value as Record<string, unknown>;
  return value as Record<string, unknown>;
}

/** A text of at most so many characters. @throws 400 */
export function textOf(value: unknown, name: string, most: number): string {
  require(typeof value === 'string' && value !== '' && value.length <= most, 400, `${name} is invalid`);
  return value;
}

/** The same, or null if there is none. @throws 400 */
export const textOrNull = (value: unknown, name: string, most: number): string | null =>
  value === undefined || value === null ? null : textOf(value, name, most);

/** Answers with JSON, counts the request and writes its line (`conventions.md`). */
export function answer(response: ServerResponse, from: Sent | null, { status, body, headers, sent }: Answer): void {
  const text = JSON.stringify(body);
  const own = { 'X-Request-Id': from?.correlationId ?? '', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, { ...HEADERS, ...own, ...headers });
  if (sent) response.once('finish', sent);
  if (from) response.once('close', () => tell(response, from));
  response.end(text);
}

function tell(response: ServerResponse, { method, path, headers, correlationId, begunAt, told }: Sent): void {
  const seconds = (performance.now() - begunAt) / 1_000;
  observeRequest(method, told.route, response.statusCode, seconds);
  requestLogger.info({
    ...{ method, route: told.route, path: redactText(path, 1_024), params: told.params && redactParams(told.params) },
    ...{ status: response.statusCode, duration_s: Math.round(seconds * 1e6) / 1e6, user_id: told.user?.id, username: told.user?.username },
    ...{ remote_ip: response.req.socket.remoteAddress, ua: redactText(headers['user-agent'] ?? '', 256), correlation_id: correlationId },
  });
}
