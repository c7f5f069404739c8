import type { TestApi } from '../api.js';
import { addUser, type AddedUser } from './instance.js';

/** Password of `root` and of all users that these builders create. */
export const PASSWORD = 'correct horse battery';

/** A user who can sign in with PASSWORD. */
export interface Person extends AddedUser {
  readonly username: string;
}

/** Adds a user who can sign in with PASSWORD, which has not expired. */
export async function addPerson(api: TestApi, username: string): Promise<Person> {
  const user = await addUser(api, username);
  await api.sql(
    `update users set password_changed_at = now(), password_expires_at = null, password_digest = (select password_digest from users where id = 1)
     where id = $1`,
    [user.id],
  );
  return { ...user, username };
}
