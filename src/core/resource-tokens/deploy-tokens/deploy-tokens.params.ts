import { ArrayNotEmpty } from 'class-validator';
import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { DEPLOY_SCOPES, type DeployScope } from './deploy-token.entity.js';

/** Filters of lists of deploy tokens. */
export class ListDeployTokensParams {
  @Flag({ optional: true, description: 'true: neither revoked nor expired; false: the others' })
  active?: boolean;
}

/** Path parameters of a deploy token. */
export class DeployTokenPath {
  @Id()
  token_id!: number;
}

/** `POST /projects/:id/deploy_tokens` and the same for groups. */
export class CreateDeployTokenParams {
  @Text({ maxLength: 255 })
  name!: string;

  @List(OneOf(DEPLOY_SCOPES), { commaSeparated: true })
  @ArrayNotEmpty({ message: 'is empty' })
  scopes!: DeployScope[];

  @IsoTime({ optional: true, nullable: true })
  expires_at?: Date | null;

  @Text({
    optional: true,
    nullable: true,
    maxLength: 255,
    matches: /^[a-zA-Z0-9_.+-]+$/,
    description: 'gitlab+deploy-token-<number> unless given',
  })
  username?: string | null;
}
