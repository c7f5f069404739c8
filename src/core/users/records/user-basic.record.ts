import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';

/** The short form of a user that other records embed (`api-v4.md` 2.1). */
export class UserBasicRecord {
  @Id()
  id!: number;

  @Text()
  username!: string;

  @Text({ example: 'Ada Lovelace' })
  name!: string;

  @Text({ example: 'active' })
  state!: string;

  @Text({ nullable: true })
  avatar_url!: string | null;

  @Text({ example: 'https://forge.example.com/ada' })
  web_url!: string;
}

/** Row of the short form. */
export interface UserBasicRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  /** File name of the avatar; null if there is none. */
  readonly avatar: string | null;
}

/** A user in the row of another record (`userColumns` with a prefix); `id` is null if there is none. */
export type PrefixedUser<P extends string, Id extends number | null = number | null> = {
  readonly [Name in Exclude<keyof UserBasicRow, 'id'> as `${P}${Name}`]: UserBasicRow[Name];
} & { readonly [Name in `${P}id`]: Id };

/** Presents the short form of a user. */
export function presentUserBasic(user: UserBasicRow, links: Links): UserBasicRecord {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    avatar_url: links.avatar('user', user.id, user.avatar),
    web_url: links.user(user.username),
  };
}

/** Presents the user with a prefix in the row of another record; null if there is none. */
export function presentUserIn<P extends string>(
  row: PrefixedUser<P, number>,
  prefix: P,
  links: Links,
): UserBasicRecord;
export function presentUserIn<P extends string>(
  row: PrefixedUser<P>,
  prefix: P,
  links: Links,
): UserBasicRecord | null;
export function presentUserIn(
  row: Readonly<Record<string, unknown>>,
  prefix: string,
  links: Links,
): UserBasicRecord | null {
  const of = (name: keyof UserBasicRow): unknown => row[`${prefix}${name}`];
  if (of('id') === null) return null;
  const user = {
    id: of('id'),
    username: of('username'),
    name: of('name'),
    state: of('state'),
    avatar: of('avatar'),
  };
  return presentUserBasic(user as UserBasicRow, links);
}
