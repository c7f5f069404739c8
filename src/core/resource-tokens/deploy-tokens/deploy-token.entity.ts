import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Scopes of deploy tokens, which work only for git and registries. */
export const DEPLOY_SCOPES = [
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const;

/** A scope of a deploy token. */
export type DeployScope = (typeof DEPLOY_SCOPES)[number];

/** A credential of a project or group for git, without a user; the API does not accept it. */
@Entity('deploy_tokens')
export class DeployToken extends BaseEntity {
  @Column({ type: 'text' })
  sourceType!: 'Project' | 'Namespace';

  @Column({ type: 'bigint' })
  sourceId!: number;

  @Column({ type: 'bigint', nullable: true })
  creatorId!: number | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'bytea', select: false })
  digest!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: DeployScope[];

  @Column({ type: 'boolean', default: false })
  revoked!: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
