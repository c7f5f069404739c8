import { Injectable } from '@nestjs/common';
import { Links } from '#kernel/http/links.js';
import type { CiVariable, JobDefinition } from '../jobs/definition/job-definition.js';
import type { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import type { Job } from '../jobs/job.entity.js';
import { SealedVariablesService } from '../jobs/definition/sealed-variables.service.js';
import type { Pipeline } from '../pipelines/pipeline.entity.js';
import { PipelineProtectionsQueries } from '../pipelines/pipeline-protections.queries.js';
import { CiVariablesRegistry } from '../variables/ci-variables.registry.js';
import { CiProjectsQueries, type CiProject } from './ci-projects.queries.js';
import { DotenvVariablesQueries } from './dotenv-variables.queries.js';
import { MergeRequestFactsQueries } from './merge-request-facts.queries.js';
import { PredefinedVariablesService } from './predefined-variables.service.js';
import { namingOf, publicVariables } from './public-variables.js';

/** The variables of a job, and its project. */
interface ProjectVariables {
  readonly project: CiProject;
  readonly variables: CiVariable[];
}

/** Computes the variables of a job, except those that contain its token. */
@Injectable()
export class JobVariablesService {
  constructor(
    private readonly links: Links,
    private readonly projects: CiProjectsQueries,
    private readonly predefined: PredefinedVariablesService,
    private readonly dotenv: DotenvVariablesQueries,
    private readonly ciVariables: CiVariablesRegistry,
    private readonly sealed: SealedVariablesService,
    private readonly protections: PipelineProtectionsQueries,
    private readonly mergeRequests: MergeRequestFactsQueries,
  ) {}

  /**
   * Returns the variables of a job. The last of duplicate keys wins: predefined variables, those of the
   * configuration, of `dotenv` reports, of the project, groups and environment, of the user who started the
   * pipeline, and of the user who played the job.
   */
  async of(
    pipeline: Pipeline,
    job: Job,
    stored: Pick<StoredJobDefinition, 'definition' | 'playVariables'>,
  ): Promise<CiVariable[]> {
    return (await this.withProject(pipeline, job, stored))?.variables ?? [];
  }

  /** Returns the variables together with their project; null if it is deleted or being deleted. */
  async withProject(
    pipeline: Pipeline,
    job: Job,
    { definition, playVariables }: Pick<StoredJobDefinition, 'definition' | 'playVariables'>,
  ): Promise<ProjectVariables | null> {
    // After its ref is unprotected, any Developer can rerun the job, so it gets only unprotected variables.
    const isProtected = job.protected && (await this.protections.isProtected(pipeline));
    const scope = {
      projectId: job.projectId,
      ref: job.ref,
      protected: isProtected,
      environment: job.environment,
      job,
    };
    const [project, handedOn, configured, mergeRequests] = await Promise.all([
      this.projects.find(job.projectId, job.userId),
      this.dotenv.of(job, definition),
      this.ciVariables.of(scope),
      this.mergeRequests.of(pipeline),
    ]);
    if (!project) return null;
    const variables = [
      ...this.predefined.of(
        project,
        Object.assign({}, pipeline, { protected: isProtected }),
        mergeRequests.sourceBranch,
      ),
      ...mergeRequests.variables,
      ...publicVariables(this.jobValues(project.fullPath, job, definition)),
      ...definition.variables,
      ...handedOn,
      ...configured,
      ...this.sealed.openOfPipeline(pipeline.variables),
      ...this.sealed.openOfJob(job.id, playVariables),
    ];
    return { project, variables };
  }

  private jobValues(
    fullPath: string,
    job: Job,
    { image, parallel }: JobDefinition,
  ): Readonly<Record<string, string | number | null>> {
    return {
      CI_JOB_ID: job.id,
      CI_JOB_URL: `${this.links.project(fullPath)}/-/jobs/${job.id}`,
      ...namingOf(job, parallel),
      CI_JOB_STARTED_AT: job.startedAt?.toISOString() ?? null,
      CI_JOB_TIMEOUT: job.timeout,
      CI_JOB_IMAGE: image?.name ?? null,
      CI_JOB_MANUAL: job.when === 'manual' ? 'true' : null,
    };
  }
}
