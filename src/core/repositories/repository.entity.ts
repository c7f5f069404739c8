import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { OwnerType, RepositoryKind } from './repository-ref.js';

/** A repository that exists on the storage of its owner. */
@Entity('repositories')
export class Repository extends BaseEntity {
  @Column({ type: 'text' })
  ownerType!: OwnerType;

  @Column({ type: 'bigint' })
  ownerId!: number;

  @Column({ type: 'text' })
  kind!: RepositoryKind;

  /** Written into the repository too; null for one that is older than identities, until a job gives it one. */
  @Column({ type: 'uuid', nullable: true })
  identity!: string | null;

  /** As measured after the last push. */
  @Column({ type: 'bigint', default: 0 })
  sizeBytes!: number;

  @Column({ type: 'timestamptz', nullable: true })
  pushedAt!: Date | null;
}
