import { SCOPES, type Scope } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime, isoTimeOrNull } from '#kernel/http/times.js';
import { isExpired } from './expiry/token-dates.js';

/** A token without its secret (`auth-core.md` 2.2). */
export class PersonalAccessTokenRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Flag()
  revoked!: boolean;

  @IsoTime()
  created_at!: string;

  @List(OneOf(SCOPES))
  scopes!: Scope[];

  @Id()
  user_id!: number;

  @IsoTime({ nullable: true })
  last_used_at!: string | null;

  @Flag({ description: 'Neither revoked nor expired' })
  active!: boolean;

  @IsoDate({ nullable: true })
  expires_at!: string | null;
}

/** A new token: the only response with its secret. */
export class NewPersonalAccessTokenRecord extends PersonalAccessTokenRecord {
  @Text({ description: 'Shown only once' })
  token!: string;
}

/** A token with which administrators act as its user. */
export class ImpersonationTokenRecord extends PersonalAccessTokenRecord {
  @Flag()
  impersonation!: true;
}

/** A new impersonation token. */
export class NewImpersonationTokenRecord extends ImpersonationTokenRecord {
  @Text({ description: 'Shown only once' })
  token!: string;
}

/** Fields of a token from entities or rows. */
export interface TokenFields {
  readonly id: number;
  readonly name: string;
  readonly revoked: boolean;
  readonly createdAt: Date;
  readonly scopes: readonly Scope[];
  readonly userId: number;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: string | null;
}

/** Presents a token. */
export function presentToken(token: TokenFields): PersonalAccessTokenRecord {
  return {
    id: token.id,
    name: token.name,
    revoked: token.revoked,
    created_at: isoTime(token.createdAt),
    scopes: [...token.scopes],
    user_id: token.userId,
    last_used_at: isoTimeOrNull(token.lastUsedAt),
    active: !token.revoked && !isExpired(token.expiresAt),
    expires_at: token.expiresAt,
  };
}

/** Presents a new token with its secret. */
export const presentNewToken = (row: TokenFields, token: string): NewPersonalAccessTokenRecord =>
  Object.assign(presentToken(row), { token });

/** Presents an impersonation token. */
export const presentImpersonationToken = (token: TokenFields): ImpersonationTokenRecord =>
  Object.assign(presentToken(token), { impersonation: true as const });
