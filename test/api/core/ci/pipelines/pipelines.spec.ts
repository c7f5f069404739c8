import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from '../../../../support/api.js';
import type { Answer } from '../../../../support/client.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface PipelineBody {
  readonly id: number;
  readonly status: string;
  readonly [key: string]: unknown;
}

describe('pipelines', () => {
  let api: TestApi;
  let team: ProjectTeam;
  const at = (suffix = ''): string => `/projects/${team.projectId}/pipelines${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('returns a pipeline with its user, times, coverage and status label', async () => {
    const pipeline = await buildPipeline(api, team.projectId, {
      status: 'success',
      beforeSha: 'b'.repeat(40),
      startedAt: new Date('2030-01-01T00:00:10Z'),
      finishedAt: new Date('2030-01-01T00:01:10Z'),
      committedAt: new Date('2029-01-01T00:00:00Z'),
      createdAt: new Date('2030-01-01T00:00:00Z'),
      duration: 60,
      name: 'nightly',
    });
    await buildJob(api, pipeline, { status: 'success', coverage: 90 });
    await buildJob(api, pipeline, { status: 'success', coverage: 91 });
    await buildJob(api, pipeline, { status: 'success', coverage: 10, retried: true });
    const web = `http://forgeplane.test/${team.path}/-/pipelines/${pipeline.id}`;
    const { status, body } = await team.reporter.get(at(`/${pipeline.id}`));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: pipeline.id,
      iid: 1,
      project_id: team.projectId,
      sha: pipeline.sha,
      ref: 'main',
      status: 'success',
      source: 'push',
      web_url: web,
      name: 'nightly',
      before_sha: 'b'.repeat(40),
      tag: false,
      yaml_errors: null,
      user: { id: 1, username: 'root' },
      started_at: '2030-01-01T00:00:10.000Z',
      finished_at: '2030-01-01T00:01:10.000Z',
      committed_at: '2029-01-01T00:00:00.000Z',
      duration: 60,
      queued_duration: 10,
      coverage: '90.50',
      detailed_status: {
        icon: 'status_success',
        text: 'passed',
        label: 'passed',
        group: 'success',
        has_details: true,
        details_path: `/${team.path}/-/pipelines/${pipeline.id}`,
      },
    });
    await buildJob(api, pipeline, { status: 'failed', allowFailure: true });
    expect((await team.reporter.get(at(`/${pipeline.id}`))).body).toMatchObject({
      detailed_status: { label: 'passed with warnings', group: 'success-with-warnings' },
    });
  });

  describe('the list of pipelines', () => {
    let mine: ProjectTeam;
    let pipelines: Pipeline[];
    const list = (query = ''): Promise<Answer<PipelineBody[]>> =>
      mine.reporter.get<PipelineBody[]>(`/projects/${mine.projectId}/pipelines${query}`);
    const build = (values: Partial<Pipeline>): Promise<Pipeline> =>
      buildPipeline(api, mine.projectId, values);

    beforeAll(async () => {
      mine = await buildProjectTeam(api);
      const developer = await mine.developer.get<{ id: number }>('/user');
      pipelines = [
        await build({ status: 'success', sha: 'a'.repeat(40), updatedAt: new Date('2030-01-05') }),
        await build({ status: 'failed', ref: 'side', yamlErrors: 'wrong', source: 'web' }),
        await build({ status: 'running', ref: 'v1', tag: true, userId: developer.body.id }),
        await build({ status: 'pending', name: 'nightly', createdAt: new Date('2030-01-07') }),
      ];
      const child = { parentId: pipelines[0]?.id ?? 0, source: 'parent_pipeline' } as const;
      pipelines.push(await build({ ...child, status: 'success', ref: 'main' }));
    });

    it('has short records, newest first', async () => {
      const { body, headers } = await list('?per_page=1');
      expect(Object.keys(body[0] ?? {}).sort()).toEqual([
        'created_at',
        'id',
        'iid',
        'name',
        'project_id',
        'ref',
        'sha',
        'source',
        'status',
        'updated_at',
        'web_url',
      ]);
      expect([body[0]?.id, headers.get('x-total')]).toEqual([pipelines[3]?.id, '4']);
    });

    it.each([
      ['', [3, 2, 1, 0]],
      ['?sort=asc', [0, 1, 2, 3]],
      ['?scope=running', [2]],
      ['?scope=pending', [3]],
      ['?scope=finished', [1, 0]],
      ['?scope=branches', [3, 1]],
      ['?scope=tags', [2]],
      ['?status=success', [0]],
      ['?ref=side', [1]],
      [`?sha=${'a'.repeat(40)}`, [0]],
      ['?yaml_errors=true', [1]],
      ['?yaml_errors=false', [3, 2, 0]],
      ['?name=nightly', [3]],
      ['?source=web', [1]],
      ['?source=parent_pipeline', [4]],
      ['?source=ondemand_dast_scan', []],
      ['?updated_after=2030-01-04T00:00:00Z&updated_before=2030-01-06T00:00:00Z', [0]],
      ['?created_after=2030-01-06T00:00:00Z', [3]],
      ['?created_before=2030-01-06T00:00:00Z&ref=main', [0]],
      ['?order_by=status&sort=asc', [1, 3, 2, 0]],
      ['?order_by=ref&sort=desc', [2, 1, 3, 0]],
      ['?order_by=updated_at', [0, 3, 2, 1]],
      ['?order_by=user_id&sort=asc', [0, 1, 3, 2]],
      ['?username=ROOT', [3, 1, 0]],
      ['?username=nobody', []],
      ['?pagination=keyset&order_by=id&sort=asc', [0, 1, 2, 3]],
    ])('%s', async (query, expected) => {
      const { status, body } = await list(query);
      expect([status, body.map(({ id }) => pipelines.findIndex((one) => one.id === id))]).toEqual([
        200,
        expected,
      ]);
    });

    it.each([
      ['?scope=all', { scope: ['does not have a valid value'] }],
      ['?status=done', { status: ['does not have a valid value'] }],
      ['?order_by=sha', { order_by: ['does not have a valid value'] }],
      ['?updated_after=now', { updated_after: ['is invalid'] }],
      ['?ref[]=main', { ref: ['is invalid'] }],
    ])('refuses %s', async (query, message) => {
      const { status, body } = await list(query);
      expect([status, body]).toEqual([400, { message }]);
    });
  });

  describe('access to pipelines', () => {
    it.each([
      ['private', true, { anonymous: 404, stranger: 404, guest: 200, reporter: 200 }],
      ['private', false, { anonymous: 404, stranger: 404, guest: 403, reporter: 200 }],
      ['public', true, { anonymous: 200, stranger: 200, guest: 200, reporter: 200 }],
      ['public', false, { anonymous: 403, stranger: 403, guest: 403, reporter: 200 }],
    ] as const)('%s project, public_jobs %s', async (visibility, isOpen, expected) => {
      const own = await buildProjectTeam(api, visibility);
      await api.root.put(`/projects/${own.projectId}`, { public_jobs: isOpen });
      const { id } = await buildPipeline(api, own.projectId);
      for (const suffix of ['', `/${id}`, `/${id}/jobs`, `/${id}/bridges`]) {
        const path = `/projects/${own.projectId}/pipelines${suffix}`;
        const codes = {
          anonymous: (await api.anonymous.get(path)).status,
          stranger: (await own.stranger.get(path)).status,
          guest: (await own.guest.get(path)).status,
          reporter: (await own.reporter.get(path)).status,
        };
        expect([suffix, codes]).toEqual([suffix, expected]);
      }
    });

    it('returns 404 for pipelines of other projects', async () => {
      const other = await buildProjectTeam(api);
      const { id } = await buildPipeline(api, other.projectId);
      await buildJob(
        api,
        await buildPipeline(api, other.projectId, { id }).catch(() => ({ id }) as Pipeline),
      );
      for (const suffix of ['', '/jobs', '/bridges', '/variables']) {
        const answer = await team.maintainer.get(at(`/${id}${suffix}`));
        expect([suffix, answer.status, answer.body]).toEqual([
          suffix,
          404,
          { message: '404 Pipeline Not Found' },
        ]);
      }
    });
  });

  it('lists bridges with the pipelines that they started', async () => {
    const pipeline = await buildPipeline(api, team.projectId);
    const bridge = await buildJob(api, pipeline, { kind: 'bridge', name: 'child', status: 'success' });
    const idle = await buildJob(api, pipeline, { kind: 'bridge', name: 'later', status: 'created' });
    await buildJob(api, pipeline);
    const values = { parentId: pipeline.id, bridgeId: bridge.id, source: 'parent_pipeline' } as const;
    const child = await buildPipeline(api, team.projectId, values);
    const { body } = await team.reporter.get<PipelineBody[]>(at(`/${pipeline.id}/bridges`));
    expect(body).toMatchObject([
      { id: idle.id, status: 'created', downstream_pipeline: null },
      { id: bridge.id, name: 'child', pipeline: { id: pipeline.id }, downstream_pipeline: { id: child.id } },
    ]);
    const scoped = await team.reporter.get<PipelineBody[]>(at(`/${pipeline.id}/bridges?scope[]=success`));
    expect(scoped.body.map(({ id }) => id)).toEqual([bridge.id]);
    const jobs = await team.reporter.get<PipelineBody[]>(at(`/${pipeline.id}/jobs?scope=pending`));
    expect(jobs.body).toMatchObject([{ name: 'build' }]);
  });

  it('counts the tests in the reports of its jobs', async () => {
    const pipeline = await buildPipeline(api, team.projectId);
    const report = async (name: string, content: Buffer, values: Partial<Job> = {}): Promise<number> => {
      const { id } = await buildJob(api, pipeline, { name, status: 'success', ...values });
      const key = `artifacts/${team.projectId}/${name}`;
      await api.app.get(ObjectStorage).put(key, content);
      await api.sql(
        `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
         values ($1, $2, 'junit', 'gzip', 'junit.xml.gz', $4, '', $3)`,
        [team.projectId, id, key, content.length],
      );
      return id;
    };
    const xml = (text: string): Buffer => gzipSync(`<testsuite>${text}</testsuite>`);
    const both = [
      xml('<testcase name="a" time="1.5"/>'),
      xml('<testcase name="b"><failure>no</failure></testcase>'),
    ];
    const rspec = await report('rspec', Buffer.concat(both));
    await report('secret', xml('<testcase name="c"><skipped/></testcase>'), { artifactsPublic: false });
    await report('damaged', Buffer.from('no gzip'));
    await report('bomb', gzipSync(Buffer.alloc(20 * 1024 * 1024)));
    const expired = await report('expired', xml('<testcase name="gone"/>'));
    await api.sql(`update ci_job_artifacts set expire_at = now() - interval '1 minute' where job_id = $1`, [
      expired,
    ]);
    const counts = { total_count: 2, success_count: 1, failed_count: 1, skipped_count: 0, error_count: 0 };
    const { body } = await team.reporter.get(at(`/${pipeline.id}/test_report`));
    expect(body).toMatchObject({
      ...counts,
      total_time: 1.5,
      test_suites: [
        {
          ...counts,
          name: 'rspec',
          build_ids: [rspec],
          suite_error: null,
          test_cases: [
            { name: 'a', status: 'success', execution_time: 1.5, system_output: null },
            { name: 'b', status: 'failed', system_output: 'no' },
          ],
        },
        { name: 'damaged', total_count: 0, suite_error: expect.stringContaining('damaged') as unknown },
        { name: 'bomb', total_count: 0, suite_error: expect.stringContaining('too large') as unknown },
      ],
    });
    const summary = await team.developer.get(at(`/${pipeline.id}/test_report_summary`));
    expect(summary.body).toMatchObject({ total: { count: 3, success: 1, failed: 1, skipped: 1, time: 1.5 } });
    expect((await team.developer.get(at('/99999999/test_report'))).status).toBe(404);
  });
});
