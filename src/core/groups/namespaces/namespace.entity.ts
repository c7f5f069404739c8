import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Who may see a namespace or project. */
export const VISIBILITIES = ['private', 'internal', 'public'] as const;

/** Who may see a namespace or project. */
export type Visibility = (typeof VISIBILITIES)[number];

/** A group, or the namespace that every user has. */
@Entity('namespaces')
export class Namespace extends BaseEntity {
  @Column({ type: 'text' })
  type!: 'User' | 'Group';

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  path!: string;

  /** Paths from the root down, joined by slashes. */
  @Column({ type: 'text' })
  fullPath!: string;

  /** Names from the root down, joined by ` / `. */
  @Column({ type: 'text' })
  fullName!: string;

  @Column({ type: 'bigint', nullable: true })
  parentId!: number | null;

  /** Ids from the root down; the last is its own. */
  @Column({ type: 'bigint', array: true })
  traversalIds!: number[];

  /** The user whose own namespace it is; null for groups. */
  @Column({ type: 'bigint', nullable: true })
  ownerId!: number | null;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text', default: 'private' })
  visibility!: Visibility;

  /** What differs from the defaults of `group-settings.ts`. */
  @Column({ type: 'jsonb', default: {} })
  settings!: Readonly<Record<string, unknown>>;

  /** Sealed; made when it is first asked for. */
  @Column({ type: 'text', nullable: true, select: false })
  runnersToken!: string | null;

  /** By which a runner that registers finds the group. */
  @Column({ type: 'bytea', nullable: true, select: false })
  runnersTokenDigest!: Buffer | null;

  /** When somebody deleted a group that is kept for some days of grace. */
  @Column({ type: 'timestamptz', nullable: true })
  markedForDeletionAt!: Date | null;

  /** A job is about to remove it: nobody sees it any more. */
  @Column({ type: 'boolean', default: false })
  pendingDelete!: boolean;
}
