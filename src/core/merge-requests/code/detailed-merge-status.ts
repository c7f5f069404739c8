import type { MergeRequestState, MergeStatus } from '../merge-request.entity.js';

/** Whether a merge request can be merged, and if not, the first of the reasons. */
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

/** What the status depends on; rows of lists have all of it. */
export interface MergeStatusFacts {
  readonly state: MergeRequestState;
  readonly draft: boolean;
  readonly mergeStatus: MergeStatus;
  readonly baseSha: string | null;
  readonly startSha: string | null;
  /** Status of the head pipeline, null without one. */
  readonly pipelineStatus: string | null;
  /** Settings of the target project, with the defaults of those that nobody has changed. */
  readonly mergeMethod: string;
  readonly pipelineMustSucceed: boolean;
  readonly allowSkippedPipeline: boolean;
  /** False while approvals are missing without which nobody may merge. */
  readonly approved: boolean;
  /** False while threads are open that must be resolved first. */
  readonly discussionsResolved: boolean;
}

/** States of pipelines that will end by themselves, or wait for somebody. */
const RUNNING = new Set(['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled']);

/** Whether the pipeline allows to merge: it has succeeded, need not, or was skipped where that is enough. */
export function pipelineAllowsMerge(
  facts: Pick<MergeStatusFacts, 'pipelineStatus' | 'pipelineMustSucceed' | 'allowSkippedPipeline'>,
): boolean {
  if (!facts.pipelineMustSucceed || facts.pipelineStatus === 'success') return true;
  return facts.pipelineStatus === 'skipped' && facts.allowSkippedPipeline;
}

/** Whether a pipeline is on its way. */
export const isRunningPipeline = (status: string | null): boolean => status !== null && RUNNING.has(status);

/** Whether the source must get what the target has before it can be merged, as the project wants it. */
export const needsRebase = ({
  mergeMethod,
  baseSha,
  startSha,
}: Pick<MergeStatusFacts, 'mergeMethod' | 'baseSha' | 'startSha'>): boolean =>
  mergeMethod !== 'merge' && baseSha !== startSha;

/** The status by its priority: the state, what its people have to do, the branches, approvals, CI. */
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
