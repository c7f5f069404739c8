import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../support/api.js';
import { buildJob } from '../support/builders/ci.js';
import { requestJob } from '../support/builders/runner.js';
import { JobQueue } from '../support/job-queue.js';

describe('what runners get with a job', () => {
  let api: TestApi;
  let queue: JobQueue;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeAll(async () => {
    queue = await JobQueue.build(api);
  });
  afterAll(() => api.close());
  beforeEach(() => queue.clear());

  it('get the job with everything that it needs', async () => {
    const last = await queue.pipeline({ ref: 'main', beforeSha: queue.code.commits[0] ?? '' });
    const done = await buildJob(api, last, { name: 'build', status: 'success' });
    await buildJob(api, last, { name: 'broken', status: 'failed' });
    const job = await buildJob(
      api,
      last,
      { name: 'test it', stage: 'test', stageIndex: 1 },
      {
        beforeScript: ['echo before'],
        script: ['echo one', 'echo two'],
        afterScript: ['echo after'],
        image: { name: 'ruby:3', entrypoint: ['/bin/sh'], pullPolicy: ['always'] },
        services: [
          {
            name: 'postgres',
            alias: 'db',
            entrypoint: null,
            command: ['run'],
            pullPolicy: null,
            variables: { A: 'b' },
          },
        ],
        variables: [{ key: 'MINE', value: '1', public: true, masked: false }],
        artifacts: {
          name: 'out',
          untracked: true,
          paths: ['out/'],
          exclude: ['out/tmp'],
          when: 'always',
          expireIn: '1 week',
          exposeAs: null,
          public: true,
          reports: { junit: ['r.xml'], cobertura: ['c.xml'], codequality: ['q.json'] },
        },
        cache: [
          {
            key: 'k',
            untracked: false,
            paths: ['vendor'],
            policy: 'pull-push',
            when: 'on_success',
            fallbackKeys: ['f'],
          },
        ],
        preGetSourcesScript: ['echo hook'],
      },
    );
    const answer = await requestJob(api, queue.runner, {
      info: { name: 'gitlab-runner', version: '16.5.0' },
    });
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('X-GitLab-Last-Update'),
    ]).toEqual([201, 'application/json', null]);
    const { token, variables, ...body } = answer.body;
    expect(token).toMatch(/^glcbt-[\w-]{20}$/);
    const report = { when: 'always', expire_in: '1 week' };
    expect(body).toEqual({
      id: job.id,
      allow_git_fetch: true,
      job_info: {
        id: job.id,
        name: 'test it',
        stage: 'test',
        project_id: queue.code.id,
        project_name: expect.any(String) as unknown,
        time_in_queue_seconds: expect.any(Number) as unknown,
        project_jobs_running_on_instance_runners_count: '+Inf',
      },
      git_info: {
        repo_url: `http://gitlab-ci-token:${token}@forgeplane.test/${queue.code.fullPath}.git`,
        ref: 'main',
        sha: queue.code.commits[1],
        before_sha: queue.code.commits[0],
        ref_type: 'branch',
        refspecs: [
          `+refs/pipelines/${last.id}:refs/pipelines/${last.id}`,
          '+refs/heads/main:refs/remotes/origin/main',
        ],
        depth: 20,
      },
      runner_info: { timeout: 3600, runner_session_url: null },
      steps: [
        {
          name: 'script',
          script: ['echo before', 'echo one', 'echo two'],
          timeout: 3600,
          when: 'on_success',
          allow_failure: false,
        },
        { name: 'after_script', script: ['echo after'], timeout: 3600, when: 'always', allow_failure: true },
      ],
      hooks: [{ name: 'pre_get_sources_script', script: ['echo hook'] }],
      image: { name: 'ruby:3', entrypoint: ['/bin/sh'], ports: [], pull_policy: ['always'] },
      services: [
        {
          name: 'postgres',
          alias: 'db',
          entrypoint: null,
          command: ['run'],
          ports: [],
          pull_policy: null,
          variables: [{ key: 'A', value: 'b' }],
        },
      ],
      artifacts: [
        {
          name: 'out',
          untracked: true,
          paths: ['out/'],
          exclude: ['out/tmp'],
          when: 'always',
          expire_in: '1 week',
          artifact_type: 'archive',
          artifact_format: 'zip',
        },
        {
          ...report,
          name: 'junit.xml',
          paths: ['r.xml'],
          artifact_type: 'junit',
          artifact_format: 'gzip',
        },
        {
          ...report,
          name: 'cobertura-coverage.xml',
          paths: ['c.xml'],
          artifact_type: 'cobertura',
          artifact_format: 'gzip',
        },
        {
          ...report,
          name: 'gl-code-quality-report.json',
          paths: ['q.json'],
          artifact_type: 'codequality',
          artifact_format: 'raw',
        },
      ],
      cache: [
        {
          key: 'k-non_protected',
          untracked: false,
          policy: 'pull-push',
          paths: ['vendor'],
          when: 'on_success',
          fallback_keys: ['f-non_protected'],
        },
      ],
      credentials: [],
      dependencies: [{ id: done.id, name: 'build', token }],
      features: {
        trace_sections: true,
        token_mask_prefixes: expect.any(Array) as unknown,
        failure_reasons: expect.arrayContaining(['script_failure']) as unknown,
      },
      secrets: {},
    });
    const byKey = new Map((variables as { key: string; value: string }[]).map((one) => [one.key, one]));
    expect(byKey.get('CI_JOB_TOKEN')).toEqual({
      key: 'CI_JOB_TOKEN',
      value: token,
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
      CI_PIPELINE_ID: String(last.id),
      CI_PIPELINE_SOURCE: 'push',
      CI_REPOSITORY_URL: `http://gitlab-ci-token:${token}@forgeplane.test/${queue.code.fullPath}.git`,
      CI_RUNNER_ID: String(queue.runner.id),
      CI_RUNNER_DESCRIPTION: 'builder',
      MINE: '1',
    });
    const [row] = await api.sql(
      `select status, runner_id, timeout, started_at is not null as started, runner_seen_at is not null as seen,
        position($2::text::bytea in token_digest) as plain from ci_jobs where id = $1`,
      [job.id, token],
    );
    expect(row).toEqual({
      status: 'running',
      runner_id: queue.runner.id,
      timeout: 3600,
      started: true,
      seen: true,
      plain: 0,
    });
    expect(await api.sql('select status from ci_pipelines where id = $1', [last.id])).toEqual([
      { status: 'running' },
    ]);
    expect(await api.sql('select name, version from ci_runners where id = $1', [queue.runner.id])).toEqual([
      { name: 'gitlab-runner', version: '16.5.0' },
    ]);
    const shown = await api.root.get(`/projects/${queue.code.id}/jobs/${job.id}`);
    expect(shown.body).toMatchObject({ status: 'running', runner: { id: queue.runner.id } });
  });
});
