import type { TestApi } from '../api.js';

/** Makes a user a member over HTTP; `place` is a path such as `groups/3` or `projects/1`. */
export async function buildMember(
  api: TestApi,
  place: string,
  userId: number,
  accessLevel: number,
  expiresAt?: string,
): Promise<void> {
  const answer = await api.root.post(`/${place}/members`, {
    user_id: userId,
    access_level: accessLevel,
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  });
  if (answer.status !== 201) throw new Error(`POST /${place}/members: ${answer.status} ${answer.text}`);
}
