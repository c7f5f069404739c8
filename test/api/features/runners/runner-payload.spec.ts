import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from '../../../support/api.js';
import { buildJob } from '../../../support/builders/ci.js';
import { requestJob, type Payload } from '../../../support/builders/runner.js';
import type { Answer } from '../../../support/client.js';
import { FULL_JOB } from '../../../support/full-job.js';
import { JobQueue } from '../../../support/job-queue.js';
import { borrowApi } from '../../../support/shared-api.js';

const HOUR = 3600;

describe('the payload of a job', () => {
  let api: TestApi;
  let queue: JobQueue;
  let pipeline: Pipeline;
  let done: Job;
  let job: Job;
  let answer: Answer<Payload>;
  let payload: Payload;

  beforeAll(async () => {
    api = await borrowApi();
    queue = await JobQueue.build(api);
    pipeline = await queue.pipeline({ ref: 'main', beforeSha: queue.code.commits[0] ?? '' });
    done = await buildJob(api, pipeline, { name: 'build', status: 'success' });
    await buildJob(api, pipeline, { name: 'broken', status: 'failed' });
    job = await buildJob(api, pipeline, { name: 'test it', stage: 'test', stageIndex: 1 }, FULL_JOB);
    answer = await requestJob(api, queue.runner, { info: { name: 'gitlab-runner', version: '16.5.0' } });
    payload = answer.body;
  });
  afterAll(() => api.close());

  const cloneUrl = (): string =>
    `http://gitlab-ci-token:${payload.token}@forgeplane.test/${queue.code.fullPath}.git`;

  it('contains a job with its own token, and only keys that runners know', () => {
    const { headers, status } = answer;
    expect([status, headers.get('content-type'), headers.get('X-GitLab-Last-Update')]).toEqual([
      201,
      'application/json',
      null,
    ]);
    expect(payload.token).toMatch(/^glcbt-[\w-]{20}$/);
    expect(Object.keys(payload).toSorted()).toEqual(
      [
        ...[
          'id',
          'token',
          'allow_git_fetch',
          'job_info',
          'git_info',
          'runner_info',
          'steps',
          'hooks',
          'image',
        ],
        ...[
          'services',
          'artifacts',
          'cache',
          'credentials',
          'dependencies',
          'features',
          'secrets',
          'variables',
        ],
      ].toSorted(),
    );
    expect(payload).toMatchObject({ id: job.id, allow_git_fetch: true });
    expect([payload['credentials'], payload['secrets']]).toEqual([[], {}]);
  });

  it('identifies the job and its timeout', () => {
    expect(payload['job_info']).toEqual({
      id: job.id,
      name: 'test it',
      stage: 'test',
      project_id: queue.code.id,
      project_name: expect.any(String) as unknown,
      time_in_queue_seconds: expect.any(Number) as unknown,
      project_jobs_running_on_instance_runners_count: '+Inf',
    });
    expect(payload['runner_info']).toEqual({ timeout: HOUR, runner_session_url: null });
    expect(payload['features']).toEqual({
      trace_sections: true,
      token_mask_prefixes: expect.any(Array) as unknown,
      failure_reasons: expect.arrayContaining(['script_failure']) as unknown,
    });
  });

  it('contains the location of the commit', () => {
    expect(payload['git_info']).toEqual({
      repo_url: cloneUrl(),
      ref: 'main',
      sha: queue.code.commits[1],
      before_sha: queue.code.commits[0],
      ref_type: 'branch',
      refspecs: [
        `+refs/pipelines/${pipeline.id}:refs/pipelines/${pipeline.id}`,
        '+refs/heads/main:refs/remotes/origin/main',
      ],
      depth: 20,
    });
  });

  it('contains the scripts', () => {
    expect(payload['steps']).toEqual([
      {
        name: 'script',
        script: ['echo before', 'echo one', 'echo two'],
        timeout: HOUR,
        when: 'on_success',
        allow_failure: false,
      },
      { name: 'after_script', script: ['echo after'], timeout: HOUR, when: 'always', allow_failure: true },
    ]);
    expect(payload['hooks']).toEqual([{ name: 'pre_get_sources_script', script: ['echo hook'] }]);
  });

  it('contains the images', () => {
    expect(payload['image']).toEqual({
      name: 'ruby:3',
      entrypoint: ['/bin/sh'],
      ports: [],
      pull_policy: ['always'],
    });
    expect(payload['services']).toEqual([
      {
        name: 'postgres',
        alias: 'db',
        entrypoint: null,
        command: ['run'],
        ports: [],
        pull_policy: null,
        variables: [{ key: 'A', value: 'b' }],
      },
    ]);
  });

  it('contains the artifacts to upload, including reports', () => {
    const report = (name: string, path: string, type: string, format: string): object => ({
      name,
      paths: [path],
      when: 'always',
      expire_in: '1 week',
      artifact_type: type,
      artifact_format: format,
    });
    expect(payload['artifacts']).toEqual([
      {
        ...report('out', 'out/', 'archive', 'zip'),
        untracked: true,
        exclude: ['out/tmp'],
      },
      report('junit.xml', 'r.xml', 'junit', 'gzip'),
      report('cobertura-coverage.xml', 'c.xml', 'cobertura', 'gzip'),
      report('gl-code-quality-report.json', 'q.json', 'codequality', 'raw'),
    ]);
  });

  it('contains the artifacts of earlier jobs', () => {
    expect(payload['cache']).toEqual([
      {
        key: 'k-non_protected',
        untracked: false,
        policy: 'pull-push',
        paths: ['vendor'],
        when: 'on_success',
        fallback_keys: ['f-non_protected'],
      },
    ]);
    expect(payload['dependencies']).toEqual([{ id: done.id, name: 'build', token: payload.token }]);
  });

  it('has the variables of the project, the pipeline and the job', () => {
    const variables = payload['variables'] as { key: string; value: string }[];
    const byKey = new Map(variables.map((one) => [one.key, one]));
    expect(byKey.get('CI_JOB_TOKEN')).toEqual({
      key: 'CI_JOB_TOKEN',
      value: payload.token,
      public: false,
      masked: true,
    });
    const values = Object.fromEntries([...byKey.values()].map(({ key, value }) => [key, value]));
    expect(values).toMatchObject({
      CI: 'true',
      GITLAB_CI: 'true',
      CI_PROJECT_PATH: queue.code.fullPath,
      CI_PROJECT_ID: String(queue.code.id),
      CI_SERVER_URL: 'http://forgeplane.test',
      CI_API_V4_URL: 'http://forgeplane.test/api/v4',
      CI_JOB_ID: String(job.id),
      CI_JOB_NAME: 'test it',
      CI_JOB_STAGE: 'test',
      CI_COMMIT_SHA: queue.code.commits[1],
      CI_COMMIT_REF_NAME: 'main',
      CI_PIPELINE_ID: String(pipeline.id),
      CI_PIPELINE_SOURCE: 'push',
      CI_REPOSITORY_URL: cloneUrl(),
      CI_RUNNER_ID: String(queue.runner.id),
      CI_RUNNER_DESCRIPTION: 'builder',
      MINE: '1',
    });
  });

  it('marks the job as running, and its token is stored as a digest', async () => {
    const [row] = await api.sql(
      `select status, runner_id, timeout, started_at is not null as started, runner_seen_at is not null as seen,
        position($2::text::bytea in token_digest) as plain from ci_jobs where id = $1`,
      [job.id, payload.token],
    );
    expect(row).toEqual({
      status: 'running',
      runner_id: queue.runner.id,
      timeout: HOUR,
      started: true,
      seen: true,
      plain: 0,
    });
    expect(await api.sql('select status from ci_pipelines where id = $1', [pipeline.id])).toEqual([
      { status: 'running' },
    ]);
    const shown = await api.root.get(`/projects/${queue.code.id}/jobs/${job.id}`);
    expect(shown.body).toMatchObject({ status: 'running', runner: { id: queue.runner.id } });
  });

  it('contains the runner that took the job', async () => {
    expect(await api.sql('select name, version from ci_runners where id = $1', [queue.runner.id])).toEqual([
      { name: 'gitlab-runner', version: '16.5.0' },
    ]);
  });
});
