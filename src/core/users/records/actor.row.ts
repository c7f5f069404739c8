import type { Actor } from '#kernel/access/caller.js';
import { isBotType } from '../user-values.js';

interface ActorColumns {
  readonly id: number | null;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  readonly admin: boolean;
  readonly external: boolean;
  readonly user_type: string;
}

/** A user in a row on which access is decided (`actorColumns`); `id` is null if there is none. */
export type ActorRow<P extends string> = {
  readonly [Name in keyof ActorColumns as `${P}_${Name}`]: ActorColumns[Name];
};

/** Select list of the user with this alias, which is the prefix of the names. */
export const actorColumns = (alias: string): string =>
  ['id', 'username', 'name', 'state', 'admin', 'external', 'user_type']
    .map((name) => `${alias}.${name} as ${alias}_${name}`)
    .join(', ');

/** Returns the user of a row, or null. Bots belong to their project or group alone: to all else they are external. */
export function actorIn<P extends string>(row: ActorRow<P>, prefix: P): Actor | null {
  const of = <Name extends keyof ActorColumns>(name: Name): ActorColumns[Name] =>
    (row as Readonly<Record<string, unknown>>)[`${prefix}_${name}`] as ActorColumns[Name];
  const id = of('id');
  if (id === null) return null;
  return {
    id,
    username: of('username'),
    name: of('name'),
    state: of('state'),
    admin: of('admin'),
    external: of('external') || isBotType(of('user_type')),
    userType: of('user_type'),
  };
}
