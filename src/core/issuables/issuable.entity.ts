import { Column } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** Columns that issues, merge requests and epics share. */
export abstract class IssuableEntity extends BaseEntity {
  /** Number within the project or group. */
  @Column({ type: 'bigint' })
  iid!: number;

  @Column({ type: 'bigint', nullable: true })
  authorId!: number | null;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'bigint', nullable: true })
  closedById!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  closedAt!: Date | null;

  @Column({ type: 'integer', default: 0 })
  userNotesCount!: number;

  @Column({ type: 'integer', default: 0 })
  upvotes!: number;

  @Column({ type: 'integer', default: 0 })
  downvotes!: number;
}

/** Columns that issues and merge requests share, which belong to a project. */
export abstract class WorkEntity extends IssuableEntity {
  /** For a merge request, the target project. */
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint', nullable: true })
  milestoneId!: number | null;

  /** Only members of the project may write notes. */
  @Column({ type: 'boolean', nullable: true })
  discussionLocked!: boolean | null;

  /** In seconds. */
  @Column({ type: 'bigint', default: 0 })
  timeEstimate!: number;

  /** In seconds. */
  @Column({ type: 'bigint', default: 0 })
  totalTimeSpent!: number;

  @Column({ type: 'integer', default: 0 })
  taskCount!: number;

  @Column({ type: 'integer', default: 0 })
  completedTaskCount!: number;
}
