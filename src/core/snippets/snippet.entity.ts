import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';
import type { Visibility } from '#core/groups/namespaces/namespace.entity.js';

/** A few files of one author in a separate repository; personal or of a project. */
@Entity('snippets')
export class Snippet extends BaseEntity {
  /** Null for a personal snippet. */
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

  /** Files of the newest commit, by name, so that lists need not ask git. */
  @Column({ type: 'text', array: true, default: [] })
  filePaths!: string[];

  /** The only branch of its repository. */
  @Column({ type: 'text', default: 'main' })
  defaultBranch!: string;

  @Column({ type: 'text', default: 'default' })
  repositoryStorage!: string;

  @Column({ type: 'boolean', default: false })
  repositoryReadOnly!: boolean;

  /** User agent of the request that created it, for administrators. */
  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;

  @Column({ type: 'text', nullable: true })
  ipAddress!: string | null;
}
