import { readMap, readWord } from '../keywords/reading.js';
import type { Spot } from '../problems.js';
import type { Yaml } from '../yaml/yaml-value.js';

const ON_NEW_COMMIT = ['conservative', 'interruptible', 'none'] as const;
const ON_JOB_FAILURE = ['none', 'all'] as const;

/** What cancels a pipeline before it has finished; null for what is not given. */
export interface AutoCancel {
  /** The jobs that a pipeline of a newer commit cancels: all unless one that is not interruptible has started, those that are interruptible, or none. */
  readonly onNewCommit: (typeof ON_NEW_COMMIT)[number] | null;
  /** The jobs that a failed one cancels. */
  readonly onJobFailure: (typeof ON_JOB_FAILURE)[number] | null;
}

/** Reads `auto_cancel` of `workflow`, or of one of its rules. */
export function readAutoCancel(value: Yaml | undefined, spot: Spot): AutoCancel {
  const isGiven = value !== undefined && value !== null;
  const map = isGiven ? readMap(value, spot, ['on_new_commit', 'on_job_failure']) : null;
  return {
    onNewCommit: map && readWord(map, 'on_new_commit', spot, ON_NEW_COMMIT),
    onJobFailure: map && readWord(map, 'on_job_failure', spot, ON_JOB_FAILURE),
  };
}

/** What a workflow says, unless the rule that applies says otherwise. */
export const autoCancelOf = (own: AutoCancel, byRule: AutoCancel | undefined): AutoCancel => ({
  onNewCommit: byRule?.onNewCommit ?? own.onNewCommit,
  onJobFailure: byRule?.onJobFailure ?? own.onJobFailure,
});
