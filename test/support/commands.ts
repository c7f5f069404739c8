import type { ApiClient } from './client.js';

/** Result of a note with quick actions. */
export interface Commanded {
  readonly status: number;
  readonly id?: number;
  readonly body?: string;
  readonly changes: Readonly<Record<string, unknown>>;
  /** Only for a note that consists of quick actions. */
  readonly summary: readonly string[];
}

interface Said {
  readonly id?: number;
  readonly body?: string;
  readonly commands_changes: Readonly<Record<string, unknown>>;
  readonly summary?: readonly string[];
}

/** Writes a note on the object at a path, such as `/projects/1/issues/1`. */
export async function command(
  client: ApiClient,
  noteable: string,
  body: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<Commanded> {
  const answer = await client.post<Said>(`${noteable}/notes`, { body, ...values });
  const { commands_changes: changes, summary = [], ...note } = answer.body;
  return { status: answer.status, changes, summary, ...note };
}
