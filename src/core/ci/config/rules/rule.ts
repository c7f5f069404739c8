import type { CiVariable } from '../../jobs/definition/job-definition.js';
import type { JobWhen } from '../../jobs/job.entity.js';
import type { Expression } from '../expressions/expression.js';
import type { WantedNeed } from '../keywords/needs.js';

/** Changed files that a rule asks for. */
export interface WantedChanges {
  readonly paths: readonly string[];
  /** Null: since the commit before. */
  readonly compareTo: string | null;
}

/** Conditions of a rule: all must hold. */
export interface Conditions {
  readonly if: Expression | null;
  readonly changes: WantedChanges | null;
  readonly exists: readonly string[] | null;
}

/** One of the `rules` of a job, of `workflow` or of an `include`; null is what the rule does not say. */
export interface Rule extends Conditions {
  readonly when: JobWhen | 'never' | null;
  readonly allowFailure: boolean | null;
  /** Seconds. */
  readonly startIn: number | null;
  readonly variables: readonly CiVariable[];
  readonly needs: readonly WantedNeed[] | null;
}
