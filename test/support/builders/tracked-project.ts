import type { ApiClient } from '../client.js';
import { buildProject } from './project.js';

/** A project that tracks errors, and the key that its applications report with. */
export interface TrackedProject {
  readonly id: number;
  readonly key: string;
  readonly keyId: number;
}

/** Creates a project whose errors are tracked here. */
export async function buildTrackedProject(
  client: ApiClient,
  values: Readonly<Record<string, unknown>> = {},
): Promise<TrackedProject> {
  const { id } = await buildProject(client, values);
  const path = `/projects/${id}/error_tracking`;
  const set = await client.put(`${path}/settings`, { active: true, integrated: true });
  if (set.status !== 200) throw new Error(`Errors are not tracked: ${set.status} ${set.text}`);
  const { body: keys } = await client.get<{ id: number; public_key: string }[]>(`${path}/client_keys`);
  const [key] = keys;
  if (!key) throw new Error('The project has no key');
  return { id, key: key.public_key, keyId: key.id };
}
