import { ArrayNotEmpty } from 'class-validator';
import { BOT_SCOPES, Role, type Scope } from '#kernel/access/roles.js';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Id, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { RotateParams } from '#core/tokens/tokens.params.js';
import { TOKEN_LEVELS } from './resource-token.record.js';

/** Filters of the tokens of a project or group. */
export class ListResourceTokensParams {
  @OneOf(['active', 'inactive'], { optional: true })
  state?: 'active' | 'inactive';
}

/** `POST /projects/:id/access_tokens` and the same for groups. */
export class CreateResourceTokenParams {
  @Text({ maxLength: 255 })
  name!: string;

  @List(OneOf(BOT_SCOPES), { commaSeparated: true })
  @ArrayNotEmpty({ message: 'is empty' })
  scopes!: Scope[];

  @OneOf(TOKEN_LEVELS, { optional: true, description: 'Default: Maintainer' })
  access_level: Role = Role.Maintainer;

  @IsoDate({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** Path parameters of a project or group token. */
export class ResourceTokenPath {
  @Id()
  token_id!: number;
}

/** Parameters of a rotation. */
export class RotateResourceTokenParams extends RotateParams {
  @Id()
  token_id!: number;
}
