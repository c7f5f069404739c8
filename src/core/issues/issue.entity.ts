import { Column, Entity } from 'typeorm';
import { WorkEntity } from '#core/issuables/issuable.entity.js';

/** Types of issues. */
export const ISSUE_TYPES = ['issue', 'incident', 'test_case', 'task'] as const;

/** Type of an issue. */
export type IssueType = (typeof ISSUE_TYPES)[number];

/** Health statuses of an issue (premium). */
export const HEALTH_STATUSES = ['on_track', 'needs_attention', 'at_risk'] as const;

/** Severities of an incident. */
export const SEVERITIES = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const;

/** A task, bug or feature request in a project. */
@Entity('issues')
export class Issue extends WorkEntity {
  @Column({ type: 'text', default: 'opened' })
  state!: 'opened' | 'closed';

  @Column({ type: 'text', default: 'issue' })
  issueType!: IssueType;

  /** Visible only to its author, its assignees and Reporters. */
  @Column({ type: 'boolean', default: false })
  confidential!: boolean;

  @Column({ type: 'date', nullable: true })
  dueDate!: string | null;

  @Column({ type: 'integer', nullable: true })
  weight!: number | null;

  @Column({ type: 'text', nullable: true })
  healthStatus!: (typeof HEALTH_STATUSES)[number] | null;

  @Column({ type: 'text', default: 'unknown' })
  severity!: string;

  /** Manual position among the issues of its project; null until it is moved. */
  @Column({ type: 'integer', nullable: true })
  relativePosition!: number | null;

  /** The issue in another project to which it was moved. */
  @Column({ type: 'bigint', nullable: true })
  movedToId!: number | null;
}
