import { task } from '#kernel/threads/thread-task.js';
import type { CompileContext } from '../config/compile-context.js';
import { contextBy, type CompileHelp } from '../config/compile-help.js';
import { examineConfig } from '../config/examine-config.js';
import { presentWanted, toYaml } from './present-lint.js';

/** Text and facts with which a configuration is checked in a thread. */
export interface LintInput extends Pick<CompileContext, 'source' | 'ref' | 'tag' | 'variables'> {
  readonly text: string;
  readonly withJobs: boolean;
}

/** Result of a check; its large parts are already JSON. */
export interface LintOutcome {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The merged configuration as JSON text, or JSON null. */
  readonly mergedYaml: Uint8Array;
  /** A list of `LintedJobRecord` as JSON. */
  readonly jobs: Uint8Array | null;
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Checks a configuration in a thread. */
export default task<LintInput, LintOutcome, CompileHelp>(async ({ text, withJobs, ...facts }, help) => {
  const { merged, problems, configuration, warnings } = await examineConfig(text, {
    ...facts,
    ...contextBy(help),
  });
  return {
    errors: problems.list,
    warnings,
    mergedYaml: json(merged && configuration ? toYaml(merged) : null),
    jobs: withJobs ? json((configuration?.jobs ?? []).map(presentWanted)) : null,
  };
});
