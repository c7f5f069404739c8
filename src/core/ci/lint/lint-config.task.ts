import { MAX_RESULT_BYTES, task } from '#kernel/threads/thread-task.js';
import type { CompileContext } from '../config/compile-context.js';
import { contextBy, type CompileHelp } from '../config/compile-help.js';
import { examineConfig } from '../config/examine-config.js';
import type { LintedJobRecord } from './lint.record.js';
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

/** Checks a configuration in a thread. Null if the result is too long: a short text may repeat its parts many times. */
export default task<LintInput, LintOutcome | null, CompileHelp>(
  async ({ text, withJobs, ...facts }, help) => {
    const { merged, problems, configuration, warnings } = await examineConfig(text, {
      ...facts,
      ...contextBy(help),
    });
    const mergedYaml = JSON.stringify(merged && configuration ? toYaml(merged) : null);
    const jobs = withJobs ? listOf((configuration?.jobs ?? []).map(presentWanted)) : undefined;
    if (mergedYaml.length > MAX_RESULT_BYTES || jobs === null) return null;
    return {
      errors: problems.list,
      warnings,
      mergedYaml: Buffer.from(mergedYaml),
      jobs: jobs ? Buffer.from(jobs) : null,
    };
  },
);

/** Returns JSON of jobs, each with the defaults of all; null if it is too long, before it is complete. */
function listOf(jobs: readonly LintedJobRecord[]): string | null {
  const texts: string[] = [];
  let left = MAX_RESULT_BYTES;
  for (const job of jobs) {
    const text = JSON.stringify(job);
    left -= text.length;
    if (left < 0) return null;
    texts.push(text);
  }
  return `[${texts.join(',')}]`;
}
