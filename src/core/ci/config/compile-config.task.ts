import { task } from '#kernel/threads/thread-task.js';
import { presentCompiled } from '../lint/present-lint.js';
import { compileConfig } from './compile-config.js';
import type { CompileContext, Compiled } from './compile-context.js';
import { contextBy, type CompileHelp } from './compile-help.js';
import { collecting } from './examine-config.js';
import { planJobs, type PlannedPipeline } from './planned-pipeline.js';
import { Problems } from './problems.js';

/** Text and facts with which a configuration is compiled in a thread. */
export interface CompileInput extends Pick<CompileContext, 'source' | 'ref' | 'tag' | 'variables'> {
  readonly text: string;
  /** Whether the jobs are only shown, not stored. */
  readonly isTrial: boolean;
}

/** Result of the compilation: the jobs as stored, or, for a trial, a list of `LintedJobRecord` as JSON. */
export type CompileOutcome =
  | Exclude<Compiled, { kind: 'pipeline' }>
  | { readonly kind: 'pipeline'; readonly pipeline: PlannedPipeline; readonly shown: Uint8Array | null };

/** Compiles a configuration in a thread. */
export default task<CompileInput, CompileOutcome, CompileHelp>(async ({ text, isTrial, ...facts }, help) => {
  const compiled = await compileConfig(text, { ...facts, ...contextBy(help) });
  if (compiled.kind !== 'pipeline') return compiled;
  const { name, autoCancel, jobs } = compiled.pipeline;
  const problems = new Problems();
  const planned = await collecting(problems, () => Promise.resolve(planJobs(jobs, facts.variables)));
  if (planned === null) return { kind: 'invalid', errors: problems.list };
  return {
    kind: 'pipeline',
    pipeline: { name, autoCancel, jobs: isTrial ? [] : planned },
    shown: isTrial ? Buffer.from(JSON.stringify(jobs.map(presentCompiled))) : null,
  };
});
