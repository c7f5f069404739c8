import type { ApiClient } from '../client.js';

/** Facts about a project for the tests. */
export interface BuiltProject {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly path_with_namespace: string;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly updated_at: string;
  readonly namespace: { readonly id: number; readonly kind: string };
}

let built = 0;

/** Creates a project: private, in the namespace of the client, by default. */
export async function buildProject(
  client: ApiClient,
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltProject> {
  built += 1;
  const answer = await client.post<BuiltProject>('/projects', { name: `project-${built}`, ...values });
  if (answer.status !== 201) throw new Error(`Project not created: ${answer.status} ${answer.text}`);
  return answer.body;
}
