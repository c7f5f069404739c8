import { ADMIN_SCOPES, SCOPES, type Scope } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** The scopes that somebody may give to a token of their own. */
export const offeredScopes = (isAdmin: boolean): readonly Scope[] =>
  isAdmin ? SCOPES : SCOPES.filter((scope) => !ADMIN_SCOPES.has(scope));

/** What the form of a token sends, as it was written: to be checked, and shown again where it is wrong. */
export class TokenForm {
  @Text({ optional: true })
  name = '';

  @Text({ optional: true })
  expires_at = '';

  @List(Text(), { optional: true })
  scopes: string[] = [];
}

/** A token that a page names. */
export class TokenPath {
  @Id()
  id!: number;
}
