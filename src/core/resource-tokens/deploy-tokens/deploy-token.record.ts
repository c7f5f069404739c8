import { List } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTimeOrNull } from '#kernel/http/times.js';
import { DEPLOY_SCOPES, type DeployScope } from './deploy-token.entity.js';

/** A deploy token without its secret. */
export class DeployTokenRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  username!: string;

  @IsoTime({ nullable: true })
  expires_at!: string | null;

  @List(OneOf(DEPLOY_SCOPES))
  scopes!: DeployScope[];

  @Flag()
  revoked!: boolean;

  @Flag()
  expired!: boolean;
}

/** A new deploy token. */
export class NewDeployTokenRecord extends DeployTokenRecord {
  @Text({ description: 'Shown only once' })
  token!: string;
}

/** Row of a deploy token. */
export interface DeployTokenRow {
  readonly id: number;
  readonly name: string;
  readonly username: string;
  readonly expiresAt: Date | null;
  readonly scopes: readonly DeployScope[];
  readonly revoked: boolean;
}

/** Presents a deploy token. */
export const presentDeployToken = (row: DeployTokenRow): DeployTokenRecord => ({
  id: row.id,
  name: row.name,
  username: row.username,
  expires_at: isoTimeOrNull(row.expiresAt),
  scopes: [...row.scopes],
  revoked: row.revoked,
  expired: row.expiresAt !== null && row.expiresAt.getTime() <= Date.now(),
});
