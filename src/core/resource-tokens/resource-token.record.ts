import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Role } from '#kernel/access/roles.js';
import { PersonalAccessTokenRecord, presentToken } from '#core/tokens/personal-access-token.record.js';
import type { IssuedToken } from '#core/tokens/tokens.service.js';
import type { ResourceTokenRow } from './resource-tokens.queries.js';

/** Levels that a project or group token may have. */
export const TOKEN_LEVELS = [Role.Guest, Role.Reporter, Role.Developer, Role.Maintainer, Role.Owner] as const;

/** The access token of a project or group (`auth-core.md` 2.4). */
export class ResourceTokenRecord extends PersonalAccessTokenRecord {
  @OneOf(TOKEN_LEVELS, { nullable: true, description: 'Role of the bot; null once it is no member any more' })
  access_level!: Role | null;
}

/** An access token of a project or group just made. */
export class NewResourceTokenRecord extends ResourceTokenRecord {
  @Text({ description: 'Shown this one time' })
  token!: string;
}

/** A token of a place with its secret. */
export interface IssuedResourceToken extends IssuedToken {
  readonly accessLevel: Role | null;
}

/** The record of a project or group token. */
export const presentResourceToken = (row: ResourceTokenRow): ResourceTokenRecord =>
  Object.assign(presentToken(row), { access_level: row.accessLevel });

/** The record of one just made, with its secret. */
export const presentNewResourceToken = ({
  row,
  accessLevel,
  token,
}: IssuedResourceToken): NewResourceTokenRecord =>
  Object.assign(presentToken(row), { access_level: accessLevel, token });
