import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import { JobVariables } from '#core/ci/creation/job-variables.js';
import type { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { FailureReason } from '#core/ci/jobs/job-status.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { PROJECT_DEFAULTS, type ProjectSettings } from '#core/projects/settings/project-settings.js';
import type { KnownRunner } from '../runner-credential.js';
import { DebugTraces } from './debug-traces.js';
import { Dependencies } from './dependencies.js';
import { gitInfo, repositoryUrl } from './git-info.js';
import type { JobPayloadRecord, PayloadFeatures } from './job-payload.records.js';
import { presentArtifacts, presentCache } from './present-files.js';
import { presentHooks, presentImage, presentService, presentSteps } from './present-steps.js';

interface ProjectRow {
  readonly name: string;
  readonly fullPath: string;
  readonly settings: Partial<ProjectSettings>;
  readonly running: number;
}

/** Instance runners are told how many jobs of the project they run, up to here. */
const MAX_COUNTED = 5;

const PROJECT = `select p.name, p.full_path as "fullPath", p.settings,
    (select count(*) from (select 1 from ci_jobs j join ci_runners r on r.id = j.runner_id and r.runner_type = 'instance_type'
      where j.project_id = p.id and j.kind = 'build' and j.status = 'running' and j.id <> $2 limit ${MAX_COUNTED}) counted) as running
  from projects p where p.id = $1`;

/** Why runners may say that a job has failed. */
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

/** Makes what a runner gets with a job (`ci.md` 6.1). */
@Injectable()
export class JobPayload {
  constructor(
    private readonly database: ReadDatabase,
    private readonly links: Links,
    private readonly variables: JobVariables,
    private readonly dependencies: Dependencies,
    private readonly debugTraces: DebugTraces,
  ) {}

  /** The payload of a job that the runner has just taken. */
  async of(
    runner: KnownRunner,
    { job, token }: { readonly job: Job; readonly token: string },
    pipeline: Pipeline,
    stored: StoredJobDefinition,
  ): Promise<JobPayloadRecord> {
    const { definition } = stored;
    const [project, configured, dependencies] = await Promise.all([
      this.database.always<ProjectRow>(PROJECT, [job.projectId, job.id]),
      this.variables.of(pipeline, job, stored),
      this.dependencies.of(job, definition, token),
    ]);
    await this.debugTraces.hide(job.id, configured);
    const settings = { ...PROJECT_DEFAULTS, ...project.settings };
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
        project_jobs_running_on_instance_runners_count: countedOn(runner, project.running),
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

/** What the token of the job is in, and who runs it; anything that is configured under the same key comes later, and counts. */
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

function countedOn(runner: KnownRunner, running: number): string {
  if (runner.type !== 'instance_type') return '+Inf';
  return running >= MAX_COUNTED ? `${String(MAX_COUNTED)}+` : String(running);
}
