import { ADMIN_SCOPES, SCOPES, type Scope } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** The scopes that users may give their own tokens. */
export const offeredScopes = (isAdmin: boolean): readonly Scope[] =>
  isAdmin ? SCOPES : SCOPES.filter((scope) => !ADMIN_SCOPES.has(scope));

/** Values of the token form as entered. They are validated, and shown again if invalid. */
export class TokenForm {
  @Text({ optional: true })
  name = '';

  @Text({ optional: true })
  expires_at = '';

  @List(Text(), { optional: true })
  scopes: string[] = [];
}

/** Path parameters of a token. */
export class TokenPath {
  @Id()
  id!: number;
}
