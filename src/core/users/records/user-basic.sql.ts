import type { UserBasicRow } from './user-basic.record.js';

/** Columns of the short form, in one place. */
const COLUMNS = [
  'id',
  'username',
  'name',
  'state',
  'avatar',
] as const satisfies readonly (keyof UserBasicRow)[];

/** Select list of a `UserBasicRow` of the users `alias`; with a prefix, of a `PrefixedUser`. */
export const userColumns = (alias: string, prefix = ''): string =>
  COLUMNS.map((name) => (prefix === '' ? `${alias}.${name}` : `${alias}.${name} as ${prefix}${name}`)).join(
    ', ',
  );

/** Arguments of `json_build_object` for a `PrefixedUser` of the users `alias`. */
export const userPairs = (alias: string, prefix = ''): string =>
  COLUMNS.map((name) => `'${prefix}${name}', ${alias}.${name}`).join(', ');

/** SQL expression: a user as a `UserBasicRow` in JSON. */
export const userJson = (alias: string): string => `jsonb_build_object(${userPairs(alias)})`;
