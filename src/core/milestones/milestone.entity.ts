import { Column, Entity } from 'typeorm';
import { BaseEntity } from '#kernel/database/base.entity.js';

/** State of a milestone. */
export type MilestoneState = 'active' | 'closed';

/** A milestone of a project or of a group. */
@Entity('milestones')
export class Milestone extends BaseEntity {
  /** Null for a milestone of a group. */
  @Column({ type: 'bigint', nullable: true })
  projectId!: number | null;

  /** Null for a milestone of a project. */
  @Column({ type: 'bigint', nullable: true })
  groupId!: number | null;

  /** Number within the project or group. */
  @Column({ type: 'bigint' })
  iid!: number;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  @Column({ type: 'text' })
  state!: MilestoneState;

  @Column({ type: 'date', nullable: true })
  startDate!: string | null;

  @Column({ type: 'date', nullable: true })
  dueDate!: string | null;
}
