import type { CiVariable, JobDefinition } from '../../jobs/definition/job-definition.js';
import type { JobWhen } from '../../jobs/job.entity.js';
import type { AllowFailure } from '../keywords/allow-failure.js';
import type { WantedCache } from '../keywords/cache.js';
import type { WantedNeed } from '../keywords/needs.js';
import type { Parallel } from '../keywords/parallel.js';
import type { RefPolicy } from '../rules/ref-policy.js';
import type { Rule } from '../rules/rule.js';
import type { Inheritance } from './job-defaults.js';

/** Part of a definition that is known before the job is placed in a pipeline. */
type Settled = Omit<
  JobDefinition,
  'variables' | 'cache' | 'needs' | 'dependencies' | 'parallel' | 'startIn' | 'allowFailureExitCodes'
>;

/** A job as its configuration describes it, before it is selected for a pipeline. */
export interface WantedJob {
  readonly name: string;
  readonly kind: 'build' | 'bridge';
  readonly stage: string;
  readonly tagList: readonly string[];
  readonly when: JobWhen | 'never' | null;
  readonly startIn: number | null;
  readonly allowFailure: AllowFailure;
  readonly rules: readonly Rule[] | null;
  readonly only: RefPolicy | null;
  readonly except: RefPolicy | null;
  readonly variables: readonly CiVariable[];
  readonly inherit: Inheritance;
  readonly needs: readonly WantedNeed[] | null;
  readonly dependencies: readonly string[] | null;
  readonly parallel: Parallel | null;
  readonly cache: readonly WantedCache[];
  readonly definition: Settled;
}
