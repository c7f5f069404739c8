import { Column, Entity } from 'typeorm';
import { WorkEntity } from '#core/issuables/issuable.entity.js';

/** State of a merge request; `locked` while it is being merged. */
export type MergeRequestState = 'opened' | 'closed' | 'locked' | 'merged';

/** Whether the branches can be merged, as far as it is known. */
export type MergeStatus =
  | 'unchecked'
  | 'checking'
  | 'can_be_merged'
  | 'cannot_be_merged'
  | 'cannot_be_merged_recheck';

/** With what a merge request is merged as soon as its pipeline succeeds. */
export interface AutoMerge {
  readonly userId: number;
  readonly sha: string;
  readonly squash: boolean | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
}

/** A wish to bring a branch, of this project or of a fork, into another branch of `projectId`. */
@Entity('merge_requests')
export class MergeRequest extends WorkEntity {
  /** Null when the fork is gone. */
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

  /** What whoever merged it said of the branch. */
  @Column({ type: 'boolean', nullable: true })
  shouldRemoveSourceBranch!: boolean | null;

  /** What its author said of the branch. */
  @Column({ type: 'boolean', nullable: true })
  forceRemoveSourceBranch!: boolean | null;

  @Column({ type: 'boolean', default: false })
  allowCollaboration!: boolean;

  @Column({ type: 'jsonb', nullable: true })
  autoMerge!: AutoMerge | null;

  /** Who has merged it, or has set it to be merged. */
  @Column({ type: 'bigint', nullable: true })
  mergeUserId!: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  mergedAt!: Date | null;

  /** Since when it is being merged; only while `locked`. */
  @Column({ type: 'timestamptz', nullable: true })
  lockedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  rebasingSince!: Date | null;

  /** The merge base. */
  @Column({ type: 'text', nullable: true })
  baseSha!: string | null;

  /** Head of the target branch when the source was last looked at. */
  @Column({ type: 'text', nullable: true })
  startSha!: string | null;

  /** Head of the source branch. */
  @Column({ type: 'text', nullable: true })
  headSha!: string | null;

  @Column({ type: 'text', nullable: true })
  mergeCommitSha!: string | null;

  @Column({ type: 'text', nullable: true })
  squashCommitSha!: string | null;

  /** Number of changed files, "1000+" beyond; null until it is known or when nothing has changed. */
  @Column({ type: 'text', nullable: true })
  changesCount!: string | null;

  /** Of those whose commits it brings, in small letters; null until that is known. */
  @Column({ type: 'text', array: true, nullable: true })
  committerEmails!: readonly string[] | null;

  @Column({ type: 'bigint', nullable: true })
  headPipelineId!: number | null;

  /** When code and pipelines were first looked at. */
  @Column({ type: 'timestamptz', nullable: true })
  preparedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  firstDeployedToProductionAt!: Date | null;
}
