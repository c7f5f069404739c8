import type { CiVariable } from '../../jobs/definition/job-definition.js';
import type { JobWhen } from '../../jobs/job.entity.js';
import type { Expression } from '../expressions/expression.js';
import type { WantedNeed } from '../keywords/needs.js';
import type { AutoCancel } from './auto-cancel.js';

/** Condition of a rule on changed files. */
export interface WantedChanges {
  readonly paths: readonly string[];
  /** Ref to compare with; null for the previous commit. */
  readonly compareTo: string | null;
}

/** Conditions of a rule: all must hold. */
export interface Conditions {
  readonly if: Expression | null;
  readonly changes: WantedChanges | null;
  readonly exists: readonly string[] | null;
}

/** A rule of a job, of `workflow` or of an `include`; null for keywords that are not given. */
export interface Rule extends Conditions {
  readonly when: JobWhen | 'never' | null;
  readonly allowFailure: boolean | null;
  readonly interruptible: boolean | null;
  readonly autoCancel: AutoCancel;
  /** In seconds. */
  readonly startIn: number | null;
  readonly variables: readonly CiVariable[];
  readonly needs: readonly WantedNeed[] | null;
}
