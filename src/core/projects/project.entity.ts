import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';

/**
 * A project. The row includes the full path and name from the root; `NamespaceTree` rewrites them when a
 * group moves.
 */
@Entity('projects')
export class Project extends BaseEntity {
  @Column({ type: 'bigint' })
  namespaceId!: number;

  @Column({ type: 'bigint', nullable: true })
  creatorId!: number | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  path!: string;

  @Column({ type: 'text' })
  fullPath!: string;

  @Column({ type: 'text' })
  fullName!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text', default: 'private' })
  visibility!: Visibility;

  @Column({ type: 'text', nullable: true })
  defaultBranch!: string | null;

  @Column({ type: 'text', array: true, default: [] })
  topics!: string[];

  @Column({ type: 'boolean', default: false })
  archived!: boolean;

  @Column({ type: 'text', default: 'default' })
  repositoryStorage!: string;

  /** Settings that differ from the defaults in `project-settings.ts`. */
  @Column({ type: 'jsonb', default: {} })
  settings!: Readonly<Record<string, unknown>>;

  /** A job is about to remove the project; it is hidden from everyone. */
  @Column({ type: 'boolean', default: false })
  pendingDelete!: boolean;

  /** Start of the delayed deletion; null if the project is not being deleted. */
  @Column({ type: 'timestamptz', nullable: true })
  markedForDeletionAt!: Date | null;
}
