import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import type { Links } from '#kernel/http/links.js';

/** The user summary that other records embed (`api-v4.md` 2.1). */
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

/** What the summary is made of; read models select these columns. */
export interface UserBasicRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
}

/** The summary of a user. */
export function presentUserBasic(user: UserBasicRow, links: Links): UserBasicRecord {
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    state: user.state,
    avatar_url: null,
    web_url: links.user(user.username),
  };
}
