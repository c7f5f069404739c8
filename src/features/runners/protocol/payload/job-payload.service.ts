import { Injectable } from '@nestjs/common';
import { Links } from '#kernel/http/links.js';
import { JobVariablesService } from '#core/ci/creation/job-variables.service.js';
import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { FailureReason } from '#core/ci/jobs/job-status.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { MAX_COUNTED, type PickedJob } from '#core/ci/runners/pick-job.use-case.js';
import type { KnownRunner } from '../runner-credential.finder.js';
import { DebugTracesService } from './debug-traces.service.js';
import { JobDependenciesQueries } from './job-dependencies.queries.js';
import { gitInfo, repositoryUrl } from './git-info.js';
import type { JobPayloadRecord, PayloadFeatures } from './job-payload.record.js';
import { presentArtifacts, presentCache } from './present-files.js';
import { presentHooks, presentImage, presentService, presentSteps } from './present-steps.js';

/** Failure reasons that runners may report. */
const RUNNER_REASONS: FailureReason[] = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'job_execution_timeout',
  'image_pull_failure',
];

const FEATURES: PayloadFeatures = {
  trace_sections: true,
  token_mask_prefixes: ['glpat-', 'glcbt-', 'glrt-'],
  failure_reasons: RUNNER_REASONS,
};

/** Builds the payload of a job for its runner (`ci.md` 6.1). */
@Injectable()
export class JobPayloadService {
  constructor(
    private readonly links: Links,
    private readonly variables: JobVariablesService,
    private readonly dependencies: JobDependenciesQueries,
    private readonly debugTraces: DebugTracesService,
  ) {}

  /**
   * Returns the payload of a job that the runner has just taken; null if its project was removed or is being
   * removed.
   */
  async of(
    runner: KnownRunner,
    { token, stored, others }: PickedJob,
    job: Job,
    pipeline: Pipeline,
  ): Promise<JobPayloadRecord | null> {
    const { definition } = stored;
    const [found, dependencies] = await Promise.all([
      this.variables.withProject(pipeline, job, stored),
      this.dependencies.of(job, definition, token),
    ]);
    if (!found) return null;
    const { project, variables: configured } = found;
    await this.debugTraces.hide(job.id, configured);
    const { settings } = project;
    const timeout = job.timeout ?? settings.build_timeout;
    const repoUrl = repositoryUrl(this.links.base, project.fullPath, token);
    const variables = [...tokenVariables(runner, token, repoUrl), ...configured];
    return {
      id: job.id,
      token,
      allow_git_fetch: settings.build_git_strategy === 'fetch',
      job_info: {
        id: job.id,
        name: job.name,
        stage: job.stage,
        project_id: job.projectId,
        project_name: project.name,
        time_in_queue_seconds: secondsInQueue(job.queuedAt, job.startedAt),
        project_jobs_running_on_instance_runners_count: countedOn(runner, others),
      },
      git_info: gitInfo(pipeline, job, repoUrl, variables, settings.ci_default_git_depth),
      runner_info: { timeout, runner_session_url: null },
      variables,
      steps: presentSteps(definition, timeout),
      hooks: presentHooks(definition),
      image: definition.image && presentImage(definition.image),
      services: definition.services.map(presentService),
      artifacts: presentArtifacts(definition.artifacts),
      cache: presentCache(definition.cache, {
        separated: settings.ci_separated_caches,
        isProtected: job.protected,
      }),
      credentials: [],
      dependencies,
      features: FEATURES,
      secrets: {},
    };
  }
}

/**
 * Returns the variables with the job token, and about the runner; configured variables with the same key come
 * later and win.
 */
function tokenVariables(runner: KnownRunner, token: string, repoUrl: string): CiVariable[] {
  const secret = (key: string, value: string): CiVariable => ({ key, value, public: false, masked: true });
  const open = (key: string, value: string): CiVariable => ({ key, value, public: true, masked: false });
  return [
    secret('CI_JOB_TOKEN', token),
    { key: 'CI_REPOSITORY_URL', value: repoUrl, public: false, masked: false, raw: true },
    open('CI_RUNNER_ID', String(runner.id)),
    open('CI_RUNNER_DESCRIPTION', runner.description ?? ''),
    open('CI_RUNNER_TAGS', JSON.stringify(runner.tags)),
  ];
}

const secondsInQueue = (queuedAt: Date | null, startedAt: Date | null): number =>
  queuedAt && startedAt ? Math.max(0, (startedAt.getTime() - queuedAt.getTime()) / 1000) : 0;

function countedOn(runner: KnownRunner, others: number): string {
  if (runner.type !== 'instance_type') return '+Inf';
  return others >= MAX_COUNTED ? `${String(MAX_COUNTED)}+` : String(others);
}
