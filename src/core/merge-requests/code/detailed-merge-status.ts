import type { MergeRequestState, MergeStatus } from '../merge-request.entity.js';

/** Whether a merge request can be merged, or the first reason why not. */
export type DetailedMergeStatus =
  | 'not_open'
  | 'draft_status'
  | 'discussions_not_resolved'
  | 'unchecked'
  | 'checking'
  | 'broken_status'
  | 'need_rebase'
  | 'not_approved'
  | 'ci_must_pass'
  | 'ci_still_running'
  | 'mergeable';

/** Facts that determine the status; rows of lists contain all of them. */
export interface MergeStatusFacts {
  readonly state: MergeRequestState;
  readonly draft: boolean;
  readonly mergeStatus: MergeStatus;
  readonly baseSha: string | null;
  readonly startSha: string | null;
  /** Status of the head pipeline; null if there is none. */
  readonly pipelineStatus: string | null;
  /** Settings of the target project, with defaults. */
  readonly mergeMethod: string;
  readonly pipelineMustSucceed: boolean;
  readonly allowSkippedPipeline: boolean;
  /** False while required approvals are missing. */
  readonly approved: boolean;
  /** False while threads that must be resolved are open. */
  readonly discussionsResolved: boolean;
}

/** Statuses of pipelines that will end by themselves or wait for a user. */
const RUNNING = new Set(['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled']);

/**
 * Returns whether the pipeline allows the merge: it succeeded, is not required, or was skipped where that
 * suffices.
 */
export function pipelineAllowsMerge(
  facts: Pick<MergeStatusFacts, 'pipelineStatus' | 'pipelineMustSucceed' | 'allowSkippedPipeline'>,
): boolean {
  if (!facts.pipelineMustSucceed || facts.pipelineStatus === 'success') return true;
  return facts.pipelineStatus === 'skipped' && facts.allowSkippedPipeline;
}

/** Returns whether a pipeline is unfinished. */
export const isRunningPipeline = (status: string | null): boolean => status !== null && RUNNING.has(status);

/** Returns whether the project's merge method requires a rebase onto the target first. */
export const needsRebase = ({
  mergeMethod,
  baseSha,
  startSha,
}: Pick<MergeStatusFacts, 'mergeMethod' | 'baseSha' | 'startSha'>): boolean =>
  mergeMethod !== 'merge' && baseSha !== startSha;

/** Returns the status with the highest priority: state, actions of users, branches, approvals, CI. */
export function detailedMergeStatus(facts: MergeStatusFacts): DetailedMergeStatus {
  if (facts.state !== 'opened') return 'not_open';
  if (facts.draft) return 'draft_status';
  if (!facts.discussionsResolved) return 'discussions_not_resolved';
  if (facts.mergeStatus === 'unchecked') return 'unchecked';
  if (facts.mergeStatus === 'checking') return 'checking';
  if (facts.mergeStatus !== 'can_be_merged') return 'broken_status';
  if (needsRebase(facts)) return 'need_rebase';
  if (!facts.approved) return 'not_approved';
  if (pipelineAllowsMerge(facts)) return 'mergeable';
  return isRunningPipeline(facts.pipelineStatus) ? 'ci_still_running' : 'ci_must_pass';
}
