import { randomBytes } from 'node:crypto';
import type { TestApi } from '../api.js';
import type { ApiClient } from '../client.js';

/** Facts about a new group for the tests. */
export interface BuiltGroup {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly visibility: string;
  readonly parent_id: number | null;
}

/** Creates a group over HTTP, as the given client or the administrator; name and path are random unless given. */
export async function buildGroup(
  api: TestApi,
  attributes: Readonly<Record<string, unknown>> = {},
  client: ApiClient = api.root,
): Promise<BuiltGroup> {
  const path = `g-${randomBytes(5).toString('hex')}`;
  const answer = await client.post<BuiltGroup>('/groups', { name: path, path, ...attributes });
  if (answer.status !== 201) throw new Error(`POST /groups: ${answer.status} ${answer.text}`);
  return answer.body;
}
