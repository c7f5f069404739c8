import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Visibility levels of namespaces and projects. */
export const VISIBILITIES = ['private', 'internal', 'public'] as const;

/** Visibility level of a namespace or project. */
export type Visibility = (typeof VISIBILITIES)[number];

/** A group, or the namespace of a user. */
@Entity('namespaces')
export class Namespace extends BaseEntity {
  @Column({ type: 'text' })
  type!: 'User' | 'Group';

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  path!: string;

  /** Paths from the root, joined by slashes. */
  @Column({ type: 'text' })
  fullPath!: string;

  /** Names from the root, joined by ` / `. */
  @Column({ type: 'text' })
  fullName!: string;

  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** Ids from the root; the last is its own. */
  @Column({ type: 'bigint', array: true })
  traversalIds!: number[];

  /** The user who owns the namespace; null for groups. */
  @Column({ type: 'bigint', nullable: true })
  ownerId!: number | null;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text', default: 'private' })
  visibility!: Visibility;

  /** Settings that differ from the defaults in `group-settings.ts`. */
  @Column({ type: 'jsonb', default: {} })
  settings!: Readonly<Record<string, unknown>>;

  /** Sealed; created when it is first read. */
  @Column({ type: 'text', nullable: true, select: false })
  runnersToken!: string | null;

  /** Digest by which registering runners find the group. */
  @Column({ type: 'bytea', nullable: true, select: false })
  runnersTokenDigest!: Buffer | null;

  /** Start of the delayed deletion of a group. */
  @Column({ type: 'timestamptz', nullable: true })
  markedForDeletionAt!: Date | null;

  /** A job is about to remove it; it is hidden from everyone. */
  @Column({ type: 'boolean', default: false })
  pendingDelete!: boolean;
}
