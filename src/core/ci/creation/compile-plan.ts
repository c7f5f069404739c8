import type { CompiledPipeline } from '../config/compile-context.js';
import { repositoryContext } from '../config/repository-context.js';
import type { PipelinePlan, Planned } from './pipeline-plan.js';

/** Where the configuration is unless the project says otherwise. */
const CONFIG_PATH = '.gitlab-ci.yml';

/** How the message of a commit says that it wants no jobs: for pushes. */
const SKIP = /\[(ci[ _-]skip|skip[ _-]ci)\]/i;

const NOTHING: CompiledPipeline = { name: null, stages: [], jobs: [], warnings: [] };

/** In the words that clients know. */
const NONE = {
  skipped: 'The message of the commit asks for no pipeline.',
  workflow: 'Pipeline filtered out by workflow rules.',
  'no jobs':
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
};

/** Adds what the configuration says to a plan. */
export async function compilePlan(
  repositoryPath: string,
  draft: Omit<PipelinePlan, 'compiled' | 'skipped'>,
): Promise<Planned> {
  const { wanted, project, at, changedSince, commit, variables } = draft;
  const context = repositoryContext(repositoryPath, { sha: at.sha, beforeSha: changedSince });
  const readFile = async (path: string): Promise<string | null> =>
    wanted.extraFiles?.get(path.replace(/^\/*/, '/')) ?? (await context.readFile(path));
  const path = wanted.configPath ?? (project.settings.ci_config_path || CONFIG_PATH);
  const text = wanted.config ?? (await readFile(path));
  if (text === null) return { errors: ['Missing CI config file'], about: 'missing config' };
  if (wanted.source === 'merge_request_event' && SKIP.test(commit.message))
    return { errors: [NONE.skipped], about: 'rules' };
  const plan = { ...draft, skipped: false, compiled: NOTHING };
  if (wanted.source === 'push' && SKIP.test(commit.message)) return { plan: { ...plan, skipped: true } };
  const { ref, tag } = at;
  const { source } = wanted;
  // Loaded with the first pipeline: processes that make none never need the memory that the compiler takes.
  const { compileConfig } = await import('../config/compile-config.js');
  const compiled = await compileConfig(text, { ...context, readFile, source, ref, tag, variables });
  if (compiled.kind === 'invalid') return { errors: compiled.errors, about: 'config', plan };
  if (compiled.kind === 'none') return { errors: [NONE[compiled.reason]], about: 'rules' };
  return { plan: { ...plan, compiled: compiled.pipeline } };
}
