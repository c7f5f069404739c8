import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import { findCommit } from '#core/repositories/git/commit-log.js';
import type { Protection } from '#core/repositories/protection/protections.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { pipelineCommit } from '../pipelines/pipeline-commit.js';
import { PipelineProtectionsQueries } from '../pipelines/pipeline-protections.queries.js';
import { CiVariablesRegistry } from '../variables/ci-variables.registry.js';
import { CiProjectsQueries, hasBuilds, type CiProject, type CiUser } from './ci-projects.queries.js';
import type { NewPipeline, RefusedPipeline } from './new-pipeline.js';
import { compilePlan } from './compile-plan.js';
import { MergeRequestFactsQueries } from './merge-request-facts.queries.js';
import type { Planned } from './pipeline-plan.js';
import { PredefinedVariablesService } from './predefined-variables.service.js';
import { resolveMergeRequestRef, resolvePipelineRef } from './resolve-pipeline-ref.js';

const refused = (about: RefusedPipeline['about'], error: string): RefusedPipeline => ({
  errors: [error],
  about,
});

/** Plans a pipeline without writing anything. */
@Injectable()
export class PlanPipeline {
  constructor(
    private readonly projects: CiProjectsQueries,
    private readonly repositories: RepositoriesService,
    private readonly protections: PipelineProtectionsQueries,
    private readonly mergeRequests: MergeRequestFactsQueries,
    private readonly predefined: PredefinedVariablesService,
    private readonly ciVariables: CiVariablesRegistry,
    private readonly threads: ThreadsService,
  ) {}

  /** Reads the ref, its commit and its configuration. */
  async run(wanted: NewPipeline): Promise<Planned> {
    const project = await this.projects.find(wanted.projectId, wanted.userId, wanted.isAdmin);
    if (!project || !hasBuilds(project)) return refused('rights', 'Pipelines are disabled!');
    const { user } = project;
    if (!user || user.role < Role.Developer)
      return refused('rights', 'Insufficient permissions to create a new pipeline');
    if (givesForbiddenVariables(wanted, project, user))
      return refused('rights', 'Insufficient permissions to set pipeline variables');
    const repository = await this.repositories.openOrNull(projectRepository(project.id));
    const mergeRequestId = wanted.mergeRequestId ?? null;
    const resolve = mergeRequestId === null ? resolvePipelineRef : resolveMergeRequestRef;
    const at = repository && (await resolve(repository.path, wanted.ref, wanted.sha));
    const found = at && (await findCommit(repository.path, at.sha));
    if (!found) return refused('ref', 'Reference not found');
    const refFacts = { ...at, projectId: project.id, mergeRequestId };
    const by = { userId: user.id, role: user.role };
    const [protection, mergeRequests] = await Promise.all([
      this.protections.of(refFacts, by),
      this.mergeRequests.of(refFacts),
    ]);
    if (protection && !mayRunOn(protection, wanted))
      return refused(
        'rights',
        `You do not have sufficient permission to run a pipeline on '${at.ref}'. Please select a different branch or contact your administrator for assistance.`,
      );
    const commit = pipelineCommit(found);
    const beforeSha = wanted.beforeSha ?? NO_OBJECT;
    // A branch is protected after the first push, and any ref may have been since the push or the start of the parent.
    const isProtected = protection !== null && (wanted.bridgeProtected ?? mayRunJobs(protection));
    const { sourceBranch, baseSha } = mergeRequests;
    const { source } = wanted;
    const facts = { ...at, beforeSha, source, protected: isProtected, commit };
    const scope = {
      projectId: project.id,
      ref: at.ref,
      protected: isProtected,
      environment: null,
      job: null,
    };
    const configured = await this.ciVariables.of(scope);
    const variables = [
      ...this.predefined.of(project, facts, sourceBranch),
      ...mergeRequests.variables,
      ...configured,
      ...wanted.variables,
    ];
    return compilePlan(this.threads, repository.path, {
      wanted,
      project,
      at,
      beforeSha,
      changedSince: mergeRequestId === null ? beforeSha : (baseSha ?? NO_OBJECT),
      commit,
      protected: isProtected,
      variables,
    });
  }
}

/** Whether the user may run the jobs of a protected ref, which get its variables and runners. */
const mayRunJobs = ({ may_push, may_merge, may_create }: Protection): boolean =>
  may_push || may_merge || may_create;

/** The push already checked the rights of its pipeline; a child runs where its parent may. */
const mayRunOn = (protection: Protection, { source, isTrial }: NewPipeline): boolean =>
  (source === 'push' && !isTrial) || source === 'parent_pipeline' || mayRunJobs(protection);

/** A child inherits the variables of its parent. */
const givesForbiddenVariables = (
  { source, variables }: NewPipeline,
  { settings }: CiProject,
  { role }: CiUser,
): boolean =>
  variables.length > 0 &&
  settings.restrict_user_defined_variables &&
  role < Role.Maintainer &&
  source !== 'parent_pipeline';
