import { Injectable } from '@nestjs/common';
import type { ProjectSubject } from '#kernel/access/caller.js';
import { resolveCommit } from '#core/repositories/git/resolve.js';
import { Repositories } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { CompileContext } from '../config/compile-context.js';
import { repositoryContext, type RepositoryCompileContext } from '../config/repository-context.js';
import { PipelinePlanning } from '../creation/pipeline-planning.js';
import type { LintRecord } from './lint.record.js';
import { presentCompiled, presentWanted, toYaml } from './present-lint.js';

const CONFIG_PATH = '.gitlab-ci.yml';
const MISSING = 'Please provide content of .gitlab-ci.yml';

/** How a configuration is checked. */
export interface LintWish {
  /** Null: the file of the commit. */
  readonly content: string | null;
  /** Commit that files are read from; null: of the default branch. */
  readonly commit: string | null;
  /** Who would push; null: no pipeline is tried. */
  readonly pusherId: number | null;
  /** Where they would push to. */
  readonly ref: string;
  readonly withJobs: boolean;
}

/** Checks configurations, and makes nothing of them. */
@Injectable()
export class ConfigLint {
  constructor(
    private readonly repositories: Repositories,
    private readonly planning: PipelinePlanning,
  ) {}

  /** Null when there is no such commit. */
  async check(project: ProjectSubject, wish: LintWish): Promise<LintRecord | null> {
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const name = wish.commit ?? project.defaultBranch ?? 'HEAD';
    const sha = repository && (await resolveCommit(repository.path, name));
    if (!sha && (wish.content === null || wish.commit !== null)) return null;
    const files = sha ? repositoryContext(repository.path, { sha }) : NO_FILES;
    const path = project.settings['ci_config_path'];
    const text =
      wish.content ?? (await files.readFile(typeof path === 'string' && path !== '' ? path : CONFIG_PATH));
    // Loaded with the first check, as with the first pipeline: most of it is the compiler.
    const { examineConfig } = await import('../config/examine-config.js');
    const examined = await examineConfig(text ?? '', { ...files, ...STATIC, ref: wish.ref });
    const { merged, problems, configuration, warnings } = examined;
    const found = {
      valid: !problems.any,
      errors: text === null ? [MISSING] : problems.list,
      warnings,
      merged_yaml: merged && configuration ? toYaml(merged) : null,
      ...(wish.withJobs ? { jobs: (configuration?.jobs ?? []).map(presentWanted) } : {}),
    };
    if (!found.valid || wish.pusherId === null) return found;
    return { ...found, ...(await this.tryOut(project, wish, wish.pusherId, text ?? '')) };
  }

  private async tryOut(
    project: ProjectSubject,
    { ref, withJobs }: LintWish,
    userId: number,
    config: string,
  ): Promise<Pick<LintRecord, 'valid' | 'errors' | 'jobs'>> {
    const by = { source: 'push', isTrial: true, userId } as const;
    const planned = await this.planning.plan({ ...by, projectId: project.id, ref, variables: [], config });
    const errors = 'errors' in planned ? planned.errors : [];
    const jobs = planned.plan?.compiled.jobs ?? [];
    return {
      valid: errors.length === 0,
      errors,
      ...(withJobs ? { jobs: jobs.map(presentCompiled) } : {}),
    };
  }
}

/** Variables of the project are for its pipelines: texts of errors would show them. */
const STATIC: Pick<CompileContext, 'source' | 'tag' | 'variables'> = {
  source: 'push',
  tag: false,
  variables: [],
};

const NO_FILES: RepositoryCompileContext = {
  readFile: () => Promise.resolve(null),
  changedFiles: () => Promise.resolve(null),
  allFiles: () => Promise.resolve([]),
};
