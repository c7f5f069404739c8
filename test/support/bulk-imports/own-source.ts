import { ROOT_TOKEN, startApi, type TestApi } from '../api.js';
import { addGroup, addUser, type AddedUser } from '../builders/instance.js';
import type { ApiClient } from '../client.js';

/** A service that is its own source, with the groups `owned` (in which `someone` is a Maintainer) and `taken`. */
export interface OwnSource {
  readonly api: TestApi;
  readonly someone: AddedUser & { readonly client: ApiClient };
  /** Id of the group. */
  readonly owned: number;
  readonly configuration: object;
}

/** Starts the service for one test file. */
export async function startOwnSource(): Promise<OwnSource> {
  const api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
  const added = await addUser(api, 'someone');
  const owned = await addGroup(api, 'owned');
  await addGroup(api, 'taken');
  await api.root.post(`/groups/${owned}/members`, { user_id: added.id, access_level: 40 });
  const configuration = { url: api.url, access_token: ROOT_TOKEN };
  return { api, someone: { ...added, client: api.as(added.token) }, owned, configuration };
}

/** The request to migrate `owned` as `copy` to the top level. */
export const OWNED_ENTITY = {
  source_type: 'group_entity',
  source_full_path: 'owned',
  destination_slug: 'copy',
  destination_namespace: '',
};
