import { ArrayNotEmpty } from 'class-validator';
import { SCOPES, type Scope } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

const STATES = ['active', 'inactive'] as const;

/** Orders of the list; `asc` and `desc` order by id, like keyset pagination. */
const SORTS = [
  'asc',
  'desc',
  'created_asc',
  'created_desc',
  'expires_asc',
  'expires_desc',
  'last_used_asc',
  'last_used_desc',
  'name_asc',
  'name_desc',
] as const;

/** Filters of `GET /personal_access_tokens`; all limits are inclusive. */
export class ListTokensParams {
  /** Null if it was sent without a value. */
  @Id({ optional: true, nullable: true, description: 'Only the tokens of this user' })
  user_id?: number | null;

  @IsoTime({ optional: true })
  created_after?: Date;

  @IsoTime({ optional: true })
  created_before?: Date;

  @IsoTime({ optional: true })
  last_used_after?: Date;

  @IsoTime({ optional: true })
  last_used_before?: Date;

  @IsoDate({ optional: true })
  expires_after?: string;

  @IsoDate({ optional: true })
  expires_before?: string;

  @Flag({ optional: true })
  revoked?: boolean;

  @OneOf(STATES, { optional: true })
  state?: (typeof STATES)[number];

  @Text({ optional: true, maxLength: 255, description: 'Part of the name' })
  search?: string;

  @OneOf(SORTS, { optional: true })
  sort?: (typeof SORTS)[number];
}

/** Id of a token. */
export class TokenPath {
  @Id()
  id!: number;
}

/** Body of a rotation. */
export class RotateParams {
  @IsoDate({ optional: true, nullable: true, description: 'Default: a week from now' })
  expires_at?: string | null;
}

/** Parameters of the rotation of a token by id. */
export class RotateTokenParams extends RotateParams {
  @Id()
  id!: number;
}

/** `POST /users/:user_id/personal_access_tokens`. */
export class CreateTokenParams {
  @Id()
  user_id!: number;

  @Text({ maxLength: 255 })
  name!: string;

  @List(OneOf(SCOPES), { commaSeparated: true })
  @ArrayNotEmpty({ message: 'is empty' })
  scopes!: Scope[];

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** Parameters of the list of impersonation tokens of a user. */
export class ListImpersonationTokensParams {
  @Id()
  user_id!: number;

  @OneOf(['all', ...STATES] as const, { optional: true })
  state: 'all' | (typeof STATES)[number] = 'all';
}

/** Path parameters of an impersonation token. */
export class ImpersonationTokenPath {
  @Id()
  user_id!: number;

  @Id()
  impersonation_token_id!: number;
}

/** `POST /users/:user_id/impersonation_tokens`. */
export class CreateImpersonationTokenParams {
  @Id()
  user_id!: number;

  @Text({ maxLength: 255 })
  name!: string;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;

  @List(OneOf(SCOPES), { commaSeparated: true, optional: true })
  scopes?: Scope[];
}
