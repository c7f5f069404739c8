import { Column, Entity } from 'typeorm';
import { WorkEntity } from '#core/issuables/issuable.entity.js';

/** State of a merge request; `locked` during the merge. */
export type MergeRequestState = 'opened' | 'closed' | 'locked' | 'merged';

/** Whether the branches can be merged, as last checked. */
export type MergeStatus =
  | 'unchecked'
  | 'checking'
  | 'can_be_merged'
  | 'cannot_be_merged'
  | 'cannot_be_merged_recheck';

/** Options of a merge that waits for the pipeline to succeed. */
export interface AutoMerge {
  readonly userId: number;
  readonly sha: string;
  readonly squash: boolean | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
}

/** A request to merge a branch of this project or of a fork into a branch of `projectId`. */
@Entity('merge_requests')
export class MergeRequest extends WorkEntity {
  /** Null if the fork no longer exists. */
  @Column({ type: 'bigint', nullable: true })
  sourceProjectId!: number | null;

  @Column({ type: 'text' })
  sourceBranch!: string;

  @Column({ type: 'text' })
  targetBranch!: string;

  @Column({ type: 'text', default: 'opened' })
  state!: MergeRequestState;

  @Column({ type: 'boolean', default: false })
  draft!: boolean;

  @Column({ type: 'text', default: 'unchecked' })
  mergeStatus!: MergeStatus;

  @Column({ type: 'text', nullable: true })
  mergeError!: string | null;

  @Column({ type: 'boolean', default: false })
  squash!: boolean;

  /** Choice of the user who merges. */
  @Column({ type: 'boolean', nullable: true })
  shouldRemoveSourceBranch!: boolean | null;

  /** Choice of the author. */
  @Column({ type: 'boolean', nullable: true })
  forceRemoveSourceBranch!: boolean | null;

  @Column({ type: 'boolean', default: false })
  allowCollaboration!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  autoMerge!: AutoMerge | null;

  /** The user who merged it, or who enabled auto-merge. */
  @Column({ type: 'bigint', nullable: true })
  mergeUserId!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  mergedAt!: Date | null;

  /** Start of the merge; only while `locked`. */
  @Column({ type: 'timestamptz', nullable: true })
  lockedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  rebasingSince!: Date | null;

  /** The merge base. */
  @Column({ type: 'text', nullable: true })
  baseSha!: string | null;

  /** Head of the target branch at the last check. */
  @Column({ type: 'text', nullable: true })
  startSha!: string | null;

  /** Head of the source branch. */
  @Column({ type: 'text', nullable: true })
  headSha!: string | null;

  @Column({ type: 'text', nullable: true })
  mergeCommitSha!: string | null;

  @Column({ type: 'text', nullable: true })
  squashCommitSha!: string | null;

  /** Number of changed files, "1000+" above that; null while unknown, or if nothing has changed. */
  @Column({ type: 'text', nullable: true })
  changesCount!: string | null;

  /** Email addresses of the committers of its commits, in lower case; null while unknown. */
  @Column({ type: 'text', array: true, nullable: true })
  committerEmails!: readonly string[] | null;

  @Column({ type: 'bigint', nullable: true })
  headPipelineId!: number | null;

  /** When code and pipelines were first checked. */
  @Column({ type: 'timestamptz', nullable: true })
  preparedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  firstDeployedToProductionAt!: Date | null;
}
