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

  /**
   * Also stored in the repository itself; null if the repository was created before identities were recorded,
   * until a job adds it.
   */
  @Column({ type: 'uuid', nullable: true })
  identity!: string | null;

  /** As measured after the last push. */
  @Column({ type: 'bigint', default: 0 })
  sizeBytes!: number;

  @Column({ type: 'timestamptz', nullable: true })
  pushedAt!: Date | null;
}
