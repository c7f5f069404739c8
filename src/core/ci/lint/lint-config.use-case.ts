import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { JsonText } from '#kernel/http/json-text.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { CompileContext } from '../config/compile-context.js';
import type { CompileHelp } from '../config/compile-help.js';
import { repositoryHelp } from '../config/repository-help.js';
import type { NewPipeline } from '../creation/new-pipeline.js';
import { PlanPipeline } from '../creation/plan-pipeline.use-case.js';
import type lintConfig from './lint-config.task.js';

const CONFIG_PATH = '.gitlab-ci.yml';
const MISSING = 'Please provide content of .gitlab-ci.yml';

/** A request to check a configuration. */
export interface LintRequest {
  /** Text to check; null for the file of the commit. */
  readonly content: string | null;
  /** Commit to read files from; null for that of the default branch. */
  readonly commit: string | null;
  /** User of a simulated push; null if no pipeline is simulated. */
  readonly pusher: Pick<NewPipeline, 'userId' | 'isAdmin'> | null;
  /** Ref of the simulated push. */
  readonly ref: string;
  readonly withJobs: boolean;
}

/** Checks configurations without creating anything. */
@Injectable()
export class LintConfig {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly planning: PlanPipeline,
    private readonly threads: ThreadsService,
  ) {}

  /**
   * Returns a `LintRecord`; null if the commit does not exist. @throws 422 if the check exceeds its time or
   * memory, or its result is too long, 429, 503
   */
  async run(project: ProjectSubject, request: LintRequest): Promise<JsonText | null> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const name = request.commit ?? project.defaultBranch ?? 'HEAD';
    const sha = repository && (await resolveCommit(repository.path, name));
    if (!sha && (request.content === null || request.commit !== null)) return null;
    const help = sha ? repositoryHelp(repository.path, { sha }) : NO_FILES;
    const text = request.content ?? (await readConfig(help, project.settings['ci_config_path']));
    const { ref, withJobs } = request;
    const input = { ...STATIC, ref, withJobs, text: text ?? '' };
    const found = await this.threads.run<typeof lintConfig>('lint-config', input, { help });
    if (!found) throw new OverBudget('result');
    const record = {
      valid: found.errors.length === 0,
      errors: text === null ? [MISSING] : found.errors,
      warnings: found.warnings,
      merged_yaml: new JsonText(found.mergedYaml),
      jobs: found.jobs ? new JsonText(found.jobs) : undefined,
    };
    if (!record.valid || request.pusher === null) return JsonText.hash(record);
    return JsonText.hash({ ...record, ...(await this.tryOut(project, request, request.pusher, text ?? '')) });
  }

  private async tryOut(
    project: ProjectSubject,
    { ref, withJobs }: LintRequest,
    pusher: Pick<NewPipeline, 'userId' | 'isAdmin'>,
    config: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const by = { source: 'push', isTrial: true, ...pusher } as const;
    const planned = await this.planning.run({ ...by, projectId: project.id, ref, variables: [], config });
    const errors = 'errors' in planned ? planned.errors : [];
    const shown = planned.plan?.shown;
    return {
      valid: errors.length === 0,
      errors,
      ...(withJobs ? { jobs: shown ? new JsonText(shown) : [] } : {}),
    };
  }
}

async function readConfig(help: CompileHelp, path: unknown): Promise<string | null> {
  const found = await help.readFile(typeof path === 'string' && path !== '' ? path : CONFIG_PATH);
  return found && Buffer.from(found).toString('utf8');
}

/** Without variables of the project, because errors would reveal their values. */
const STATIC: Pick<CompileContext, 'source' | 'tag' | 'variables'> = {
  source: 'push',
  tag: false,
  variables: [],
};

const NO_FILES: CompileHelp = {
  readFile: () => Promise.resolve(null),
  changedFiles: () => Promise.resolve(null),
  allFiles: () => Promise.resolve(new Uint8Array()),
};
