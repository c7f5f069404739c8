import { Role } from '#kernel/access/roles.js';
import type { TestApi } from './api.js';
import { buildMember } from './builders/member.js';
import { buildResourceToken } from './builders/token.js';
import { createUser, type CreatedUser } from './builders/user.js';
import type { ApiClient } from './client.js';
import { until } from './until.js';

/** The bot of a project token that `maker` creates. */
export async function botOf(
  api: TestApi,
  maker: ApiClient,
  projectId: number,
): Promise<{ id: number; client: ApiClient }> {
  const token = await buildResourceToken(maker, `projects/${projectId}`, { access_level: Role.Maintainer });
  return { id: token.user_id, client: api.as(token.token) };
}

/** A new member of a project. */
export async function member(api: TestApi, projectId: number, role: Role): Promise<CreatedUser> {
  const user = await createUser(api);
  await buildMember(api, `projects/${projectId}`, user.id, role);
  return user;
}

/** Ways to remove the right to approve from a user. */
export const LOSSES: readonly (readonly [
  string,
  (api: TestApi, projectId: number, userId: number) => Promise<unknown>,
])[] = [
  ['are removed', (api, projectId, id) => api.root.delete(`/projects/${projectId}/members/${id}`)],
  ['are blocked', (api, _, id) => api.root.post(`/users/${id}/block`)],
  [
    'lose the role',
    (api, projectId, id) => api.root.put(`/projects/${projectId}/members/${id}`, { access_level: 20 }),
  ],
  [
    'are deleted, though the Ghost User keeps what they have said',
    async (api, _, id) => {
      await api.root.delete(`/users/${id}`);
      await until(async () => (await api.root.get(`/users/${id}`)).status === 404);
    },
  ],
];
