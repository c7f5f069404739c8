import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { Transactions } from '#kernel/database/transactions.js';
import { StoredJobDefinition } from '#core/ci/jobs/definition/job-definition.entity.js';
import type { JobDefinition } from '#core/ci/jobs/definition/job-definition.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { TestApi } from '../api.js';
import { shaOf } from './deployment.js';

/** A definition that only runs `echo`. */
export const ECHO: JobDefinition = {
  beforeScript: [],
  script: ['echo hello'],
  afterScript: [],
  image: null,
  services: [],
  variables: [],
  artifacts: null,
  cache: [],
  needs: null,
  dependencies: null,
  environment: null,
  allowFailureExitCodes: null,
  retry: { max: 0, when: [] },
  timeout: null,
  startIn: null,
  coverage: null,
  interruptible: false,
  resourceGroup: null,
  parallel: null,
  preGetSourcesScript: [],
  trigger: null,
  manualConfirmation: null,
};

/** Inserts a pipeline directly, for tests that start after its creation. */
export function buildPipeline(
  api: TestApi,
  projectId: number,
  values: Partial<Pipeline> = {},
): Promise<Pipeline> {
  return api.app.get(Transactions).run(async (tx) => {
    const iid = await api.app.get(InternalIdsService).next(tx, projectId, 'pipelines');
    return tx.save(
      Pipeline,
      Object.assign(new Pipeline(), {
        projectId,
        iid,
        ref: 'main',
        tag: false,
        sha: shaOf(iid),
        beforeSha: '0'.repeat(40),
        source: 'push',
        status: 'pending',
        userId: 1,
        ...values,
      }),
    );
  });
}

/** Inserts a job into a pipeline directly; a pending job waits for a runner. */
export function buildJob(
  api: TestApi,
  pipeline: Pipeline,
  values: Partial<Job> = {},
  definition: Partial<JobDefinition> = {},
): Promise<Job> {
  return api.app.get(Transactions).run(async (tx) => {
    const job = await tx.save(
      Job,
      Object.assign(new Job(), {
        projectId: pipeline.projectId,
        pipelineId: pipeline.id,
        kind: 'build',
        name: 'build',
        stage: 'test',
        stageIndex: 0,
        status: 'pending',
        userId: pipeline.userId,
        ref: pipeline.ref,
        tag: pipeline.tag,
        tagList: [],
        queuedAt: new Date(),
        ...values,
      }),
    );
    await tx.insert(StoredJobDefinition, { jobId: job.id, definition: { ...ECHO, ...definition } });
    if (job.status === 'pending' && job.kind === 'build')
      await tx.query(
        'insert into ci_pending_jobs (job_id, project_id, protected, tag_list) values ($1, $2, $3, $4)',
        [job.id, job.projectId, job.protected, job.tagList],
      );
    return job;
  });
}

/** Inserts a running job, with its token. */
export async function buildRunningJob(
  api: TestApi,
  pipeline: Pipeline,
  values: Partial<Job> = {},
  definition: Partial<JobDefinition> = {},
): Promise<{ job: Job; token: string }> {
  const token = randomToken('glcbt-');
  const running = {
    status: 'running',
    tokenDigest: digestToken(token),
    startedAt: new Date(),
    timeout: 3600,
  };
  const job = await buildJob(api, pipeline, { ...running, ...values } as Partial<Job>, definition);
  return { job, token };
}
