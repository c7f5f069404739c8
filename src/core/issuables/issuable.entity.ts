import { Column } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** What issues, merge requests and epics have in common. */
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

/** What issues and merge requests have besides: they are work in a project. */
export abstract class WorkEntity extends IssuableEntity {
  /** Of a merge request the target. */
  @Column({ type: 'bigint' })
  projectId!: number;

  @Column({ type: 'bigint', nullable: true })
  milestoneId!: number | null;

  /** Only members of the project may write notes. */
  @Column({ type: 'boolean', nullable: true })
  discussionLocked!: boolean | null;

  /** Seconds. */
  @Column({ type: 'bigint', default: 0 })
  timeEstimate!: number;

  /** Seconds. */
  @Column({ type: 'bigint', default: 0 })
  totalTimeSpent!: number;

  @Column({ type: 'integer', default: 0 })
  taskCount!: number;

  @Column({ type: 'integer', default: 0 })
  completedTaskCount!: number;
}
