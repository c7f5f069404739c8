import type { ApiClient } from '../client.js';

/** Facts about an environment for the tests. */
export interface BuiltEnvironment {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly state: string;
}

/** Creates an environment. */
export async function buildEnvironment(
  client: ApiClient,
  projectId: number,
  values: Readonly<Record<string, unknown>> = {},
): Promise<BuiltEnvironment> {
  const answer = await client.post<BuiltEnvironment>(`/projects/${projectId}/environments`, {
    name: 'production',
    ...values,
  });
  if (answer.status !== 201) throw new Error(`Environment not created: ${answer.status} ${answer.text}`);
  return answer.body;
}
