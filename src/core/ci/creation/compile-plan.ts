import { OverBudget } from '#kernel/threads/over-budget.js';
import type { ThreadsService } from '#kernel/threads/threads.service.js';
import type compileConfig from '../config/compile-config.task.js';
import type { CompileOutcome } from '../config/compile-config.task.js';
import type { CompileHelp } from '../config/compile-help.js';
import type { PlannedPipeline } from '../config/planned-pipeline.js';
import { repositoryHelp } from '../config/repository-help.js';
import type { PipelineSource } from '../pipelines/pipeline.entity.js';
import type { PipelinePlan, Planned } from './pipeline-plan.js';

/** Default path of the configuration. */
export const CONFIG_PATH = '.gitlab-ci.yml';

/** Marker in a commit message that skips the pipeline of a push. */
const SKIP = /\[(ci[ _-]skip|skip[ _-]ci)\]/i;

/** Sources of pipelines that no request waits for. */
const UNASKED: ReadonlySet<PipelineSource> = new Set(['push', 'merge_request_event', 'parent_pipeline']);

const NOTHING: PlannedPipeline = {
  name: null,
  autoCancel: { onNewCommit: null, onJobFailure: null },
  jobs: [],
};

/** Messages that v4 clients know. */
const NONE = {
  skipped: 'The commit message skips the pipeline.',
  workflow: 'Pipeline filtered out by workflow rules.',
  'no jobs':
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
};

/** A plan before its configuration is read. */
export type PlanDraft = Omit<PipelinePlan, 'planned' | 'shown' | 'skipped'>;

/**
 * Compiles the configuration and adds the result to a plan. @throws OverBudget for pipelines that a request
 * waits for; 429, 503
 */
export async function compilePlan(
  threads: ThreadsService,
  repositoryPath: string,
  draft: PlanDraft,
): Promise<Planned> {
  const { wanted, project, at, changedSince, commit } = draft;
  const repository = repositoryHelp(repositoryPath, { sha: at.sha, beforeSha: changedSince });
  const readFile = async (path: string): Promise<Uint8Array | null> => {
    const extra = wanted.extraFiles?.get(path.replace(/^\/*/, '/'));
    return extra === undefined ? repository.readFile(path) : Buffer.from(extra);
  };
  const path = wanted.configPath ?? (project.settings.ci_config_path || CONFIG_PATH);
  const text = wanted.config ?? textOf(await readFile(path));
  if (text === null) return { errors: ['Missing CI config file'], about: 'missing config' };
  if (wanted.source === 'merge_request_event' && SKIP.test(commit.message))
    return { errors: [NONE.skipped], about: 'rules' };
  const plan = { ...draft, skipped: false, planned: NOTHING, shown: null };
  if (wanted.source === 'push' && SKIP.test(commit.message)) return { plan: { ...plan, skipped: true } };
  const compiled = await compile(threads, draft, text, { ...repository, readFile });
  if (compiled.kind === 'invalid') return { errors: compiled.errors, about: 'config', plan };
  if (compiled.kind === 'none') return { errors: [NONE[compiled.reason]], about: 'rules' };
  return { plan: { ...plan, planned: compiled.pipeline, shown: compiled.shown } };
}

const textOf = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString('utf8');

async function compile(
  threads: ThreadsService,
  { wanted, at, variables }: PlanDraft,
  text: string,
  help: CompileHelp,
): Promise<CompileOutcome> {
  const { source, userId, isTrial = false } = wanted;
  const { ref, tag } = at;
  const input = { text, source, ref, tag, variables, isTrial };
  try {
    return await threads.run<typeof compileConfig>('compile-config', input, {
      owner: `user ${userId}`,
      help,
    });
  } catch (error) {
    // The pipeline reports the error to the pusher, like all other errors of the configuration.
    if (!(error instanceof OverBudget) || isTrial || !UNASKED.has(source)) throw error;
    return { kind: 'invalid', errors: [`The configuration is too large: ${error.words}`] };
  }
}
