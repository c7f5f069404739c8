import { Column, Entity } from 'typeorm';
import { WorkEntity } from '#core/issuables/issuable.entity.js';

/** What an issue is about. */
export const ISSUE_TYPES = ['issue', 'incident', 'test_case', 'task'] as const;

/** Type of an issue. */
export type IssueType = (typeof ISSUE_TYPES)[number];

/** What is planned to keep its promise (premium). */
export const HEALTH_STATUSES = ['on_track', 'needs_attention', 'at_risk'] as const;

/** How bad an incident is. */
export const SEVERITIES = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const;

/** A thing to do, a fault or a wish, in a project. */
@Entity('issues')
export class Issue extends WorkEntity {
  @Column({ type: 'text', default: 'opened' })
  state!: 'opened' | 'closed';

  @Column({ type: 'text', default: 'issue' })
  issueType!: IssueType;

  /** Only its author, its assignees and Reporters see it. */
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

  /** Where people have put it among the others of its project; null until then. */
  @Column({ type: 'integer', nullable: true })
  relativePosition!: number | null;

  /** The issue that it has become in another project. */
  @Column({ type: 'bigint', nullable: true })
  movedToId!: number | null;
}
