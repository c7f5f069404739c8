import { OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Role } from '#kernel/access/roles.js';
import { PersonalAccessTokenRecord, presentToken } from '#core/tokens/personal-access-token.record.js';
import type { IssuedToken } from '#core/tokens/tokens.service.js';
import type { ResourceTokenRow } from './resource-tokens.queries.js';

/** Access levels of project and group tokens. */
export const TOKEN_LEVELS = [Role.Guest, Role.Reporter, Role.Developer, Role.Maintainer, Role.Owner] as const;

/** An access token of a project or group (`auth-core.md` 2.4). */
export class ResourceTokenRecord extends PersonalAccessTokenRecord {
  @OneOf(TOKEN_LEVELS, { nullable: true, description: 'Role of the bot; null if it is no longer a member' })
  access_level!: Role | null;
}

/** A new access token of a project or group. */
export class NewResourceTokenRecord extends ResourceTokenRecord {
  @Text({ description: 'Shown only once' })
  token!: string;
}

/** A token of a project or group with its secret. */
export interface IssuedResourceToken extends IssuedToken {
  readonly accessLevel: Role | null;
}

/** Presents a project or group token. */
export const presentResourceToken = (row: ResourceTokenRow): ResourceTokenRecord =>
  Object.assign(presentToken(row), { access_level: row.accessLevel });

/** Presents a new token with its secret. */
export const presentNewResourceToken = ({
  row,
  accessLevel,
  token,
}: IssuedResourceToken): NewResourceTokenRecord =>
  Object.assign(presentToken(row), { access_level: accessLevel, token });
