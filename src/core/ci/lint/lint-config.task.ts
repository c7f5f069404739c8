import { task } from '#kernel/threads/thread-task.js';
import type { CompileContext } from '../config/compile-context.js';
import { contextBy, type CompileHelp } from '../config/compile-help.js';
import { examineConfig } from '../config/examine-config.js';
import { presentWanted, toYaml } from './present-lint.js';

/** The text of a configuration, and what it is read with. */
export interface LintInput extends Pick<CompileContext, 'source' | 'ref' | 'tag' | 'variables'> {
  readonly text: string;
  readonly withJobs: boolean;
}

/** What was found; the large parts are JSON already. */
export interface LintOutcome {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The merged configuration as a JSON text, or JSON's null. */
  readonly mergedYaml: Uint8Array;
  /** JSON of a list of `LintedJobRecord`. */
  readonly jobs: Uint8Array | null;
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Reads a configuration and tells what it says. */
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
