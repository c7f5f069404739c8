import { SCOPES, type Scope } from '#kernel/access/roles.js';
import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** The application of a token. */
export class TokenApplicationRecord {
  @Text({ nullable: true, description: 'The `client_id`; null for a token that was not issued to a client' })
  uid!: string | null;
}

/** Former names, deprecated (`api-v4.md` 9). */
const ALIAS = { since: '2020-01-22', sunset: '2028-05-22' };

/** Description of a token (`api-v4.md` 2.5). */
export class TokenInfoRecord {
  @Id({ nullable: true, description: 'Id of the user' })
  resource_owner_id!: number;

  @List(OneOf(SCOPES))
  scope!: Scope[];

  @Count({ nullable: true, description: 'Seconds that are left' })
  expires_in!: number;

  @Nested(() => TokenApplicationRecord)
  application!: TokenApplicationRecord;

  @Count({ description: 'Seconds since 1970' })
  created_at!: number;

  @List(OneOf(SCOPES), { deprecated: ALIAS, description: 'The same as `scope`' })
  scopes!: Scope[];

  @Count({ nullable: true, deprecated: ALIAS, description: 'The same as `expires_in`' })
  expires_in_seconds!: number;
}
