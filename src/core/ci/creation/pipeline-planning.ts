import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
import { ProtectionsQueries } from '#core/repositories/protection/protections.queries.js';
import type { Protection } from '#core/repositories/protection/protections.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { Repositories } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { CompiledPipeline } from '../config/compile-context.js';
import { compileConfig } from '../config/compile-config.js';
import { repositoryContext } from '../config/repository-context.js';
import { pipelineCommit } from '../pipelines/pipeline-commit.js';
import { CiVariables } from '../variables/ci-variables.js';
import { CiProjects, hasBuilds } from './ci-project.js';
import type { CreatedPipeline, NewPipeline } from './new-pipeline.js';
import type { PipelinePlan } from './pipeline-plan.js';
import { PredefinedVariables } from './predefined-variables.js';
import { resolvePipelineRef } from './resolve-pipeline-ref.js';

/** Where the configuration is unless the project says otherwise. */
const CONFIG_PATH = '.gitlab-ci.yml';

const NOTHING: CompiledPipeline = { name: null, stages: [], jobs: [], warnings: [] };

const NONE =
  'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.';

type Refused = Extract<CreatedPipeline, { readonly errors: readonly string[] }>;

/** A plan, or why there is none; a configuration that is wrong comes with the plan, for a pipeline that has failed. */
export type Planned = { readonly plan: PipelinePlan } | (Refused & { readonly plan?: PipelinePlan });

const refused = (about: Refused['about'], ...errors: string[]): Refused => ({ errors, about });

/** Finds out what a pipeline would be, and writes nothing. */
@Injectable()
export class PipelinePlanning {
  constructor(
    private readonly projects: CiProjects,
    private readonly repositories: Repositories,
    private readonly protections: ProtectionsQueries,
    private readonly predefined: PredefinedVariables,
    private readonly ciVariables: CiVariables,
  ) {}

  /** Reads the ref, its commit and its configuration. */
  async plan(wanted: NewPipeline): Promise<Planned> {
    const project = await this.projects.find(wanted.projectId, wanted.userId);
    if (!project || !hasBuilds(project)) return refused('rights', 'Pipelines are disabled!');
    const { user } = project;
    if (!user || user.role < Role.Developer)
      return refused('rights', 'Insufficient permissions to create a new pipeline');
    if (wanted.variables.length > 0 && isRestricted(wanted, project.settings, user.role))
      return refused('rights', 'Insufficient permissions to set pipeline variables');
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const at = repository && (await resolvePipelineRef(repository.path, wanted.ref, wanted.sha));
    const found = at && (await findCommit(repository.path, at.sha));
    if (!found) return refused('ref', 'Reference not found');
    const protection = (await this.protections.of(project.id, { userId: user.id, role: user.role })).of(
      at.tag ? 'tag' : 'branch',
      at.ref,
    );
    if (protection && !mayRunOn(protection, wanted))
      return refused(
        'rights',
        `You do not have sufficient permission to run a pipeline on '${at.ref}'. Please select a different branch or contact your administrator for assistance.`,
      );
    const commit = pipelineCommit(found);
    const beforeSha = wanted.beforeSha ?? NO_OBJECT;
    const facts = { ...at, beforeSha, source: wanted.source, protected: protection !== null, commit };
    const scope = {
      projectId: project.id,
      ref: at.ref,
      protected: facts.protected,
      environment: null,
      job: null,
    };
    const variables = [
      ...this.predefined.of(project, facts),
      ...(await this.ciVariables.of(scope)),
      ...wanted.variables,
    ];
    const draft = { wanted, project, at, beforeSha, commit, protected: facts.protected, variables };
    const plan = { ...draft, compiled: NOTHING };
    if (wanted.skipped) return { plan };
    const context = repositoryContext(repository.path, { sha: at.sha, beforeSha });
    const readFile = async (path: string): Promise<string | null> =>
      wanted.extraFiles?.get(path) ?? (await context.readFile(path));
    const path = wanted.configPath ?? (project.settings.ci_config_path || CONFIG_PATH);
    const text = wanted.config ?? (await readFile(path));
    if (text === null) return refused('missing config', 'Missing CI config file');
    const { source } = wanted;
    const compiled = await compileConfig(text, {
      ...context,
      readFile,
      source,
      ref: at.ref,
      tag: at.tag,
      variables,
    });
    if (compiled.kind === 'invalid') return { ...refused('config', ...compiled.errors), plan };
    if (compiled.kind === 'none')
      return refused(
        'rules',
        compiled.reason === 'workflow' ? 'Pipeline filtered out by workflow rules.' : NONE,
      );
    return { plan: { ...draft, compiled: compiled.pipeline } };
  }
}

/** What a push has brought was judged by the push; a child runs where its parent does. */
const mayRunOn = ({ may_push, may_merge, may_create }: Protection, { source }: NewPipeline): boolean =>
  source === 'push' || source === 'parent_pipeline' || may_push || may_merge || may_create;

/** Those of a child are those that its parent has. */
const isRestricted = (
  { source }: NewPipeline,
  settings: { readonly restrict_user_defined_variables: boolean },
  role: Role,
): boolean =>
  settings.restrict_user_defined_variables && role < Role.Maintainer && source !== 'parent_pipeline';
