import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';

/** A few files of one author with a repository of their own, personal or of a project. */
@Entity('snippets')
export class Snippet extends BaseEntity {
  /** Null for a personal one. */
  @Column({ type: 'bigint', nullable: true })
  projectId!: number | null;

  @Column({ type: 'bigint' })
  authorId!: number;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text' })
  visibility!: Visibility;

  /** Files of the newest commit, in the order of their names: what lists show without asking git. */
  @Column({ type: 'text', array: true, default: [] })
  filePaths!: string[];

  /** The only branch of its repository. */
  @Column({ type: 'text', default: 'main' })
  defaultBranch!: string;

  @Column({ type: 'text', default: 'default' })
  repositoryStorage!: string;

  @Column({ type: 'boolean', default: false })
  repositoryReadOnly!: boolean;

  /** What the request that made it said of its sender, for administrators. */
  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'text', nullable: true })
  ipAddress!: string | null;
}
