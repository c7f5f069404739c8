import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import { buildJob, buildPipeline, buildRunningJob } from '../../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../../support/builders/project-team.js';
import { borrowApi } from '../../../../support/shared-api.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';

interface JobBody {
  readonly id: number;
  readonly status: string;
  readonly name: string;
}

const COMMIT = {
  id: '7c5a9b3e0b1d4f6a8e2c4d6f8a0b2c4d6e8f0a1b',
  parent_ids: [],
  title: 'Begin',
  message: 'Begin\n',
  author_name: 'Ada',
  author_email: 'ada@example.com',
  authored_date: '2026-01-01T00:00:00Z',
  committer_name: 'Ada',
  committer_email: 'ada@example.com',
  committed_date: '2026-01-01T00:00:00Z',
};

const ADD_RUNNER = `insert into ci_runners (runner_type, token_digest, description, contacted_at)
  values ('project_type', sha256(gen_random_uuid()::text::bytea), 'here', now()) returning id, description`;

describe('jobs', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let pipeline: Pipeline;
  const at = (suffix = ''): string => `/projects/${team.projectId}/jobs${suffix}`;
  const artifact = (jobId: number, type: string, format: string | null, name: string): Promise<unknown> =>
    api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, file_format, filename, size, sha256, object_key)
       values ($1, $2, $3, $4, $5, 1000, '', 'artifacts/' || gen_random_uuid())`,
      [team.projectId, jobId, type, format, name],
    );

  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
    pipeline = await buildPipeline(api, team.projectId, { commit: COMMIT, sha: COMMIT.id });
  });
  afterAll(() => api.close());

  it('shows a job with its user, commit, pipeline, files and runner', async () => {
    const [runner] = await api.sql<{ id: number }>(ADD_RUNNER);
    const { job } = await buildRunningJob(api, pipeline, {
      name: 'rspec',
      tagList: ['ruby', 'docker'],
      runnerId: runner?.id ?? 0,
      coverage: 98.5,
    });
    await artifact(job.id, 'archive', 'zip', 'artifacts.zip');
    await artifact(job.id, 'trace', null, 'job.log');
    const answer = await team.reporter.get(at(`/${job.id}`));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      id: job.id,
      status: 'running',
      stage: 'test',
      name: 'rspec',
      ref: 'main',
      tag: false,
      coverage: 98.5,
      allow_failure: false,
      finished_at: null,
      erased_at: null,
      failure_reason: null,
      user: {
        id: 1,
        username: 'root',
        bio: '',
        location: '',
        public_email: '',
        skype: '',
        linkedin: '',
        twitter: '',
        website_url: '',
        organization: '',
        followers: 0,
        bot: false,
      },
      commit: { id: COMMIT.id, short_id: '7c5a9b3e', title: 'Begin', created_at: '2026-01-01T00:00:00.000Z' },
      pipeline: {
        id: pipeline.id,
        iid: 1,
        project_id: team.projectId,
        sha: COMMIT.id,
        ref: 'main',
        source: 'push',
        web_url: `http://forgeplane.test/${team.path}/-/pipelines/${pipeline.id}`,
      },
      web_url: `http://forgeplane.test/${team.path}/-/jobs/${job.id}`,
      project: { ci_job_token_scope_enabled: false },
      download_url: `http://forgeplane.test/api/v4/projects/${team.projectId}/jobs/${job.id}/artifacts`,
      artifacts_file: { filename: 'artifacts.zip', size: 1000 },
      artifacts: [
        { file_type: 'archive', size: 1000, filename: 'artifacts.zip', file_format: 'zip' },
        { file_type: 'trace', size: 1000, filename: 'job.log', file_format: null },
      ],
      runner: { ...runner, ip_address: '', active: true, paused: false, status: 'online' },
      artifacts_expire_at: null,
      tag_list: ['docker', 'ruby'],
    });
    const { duration, queued_duration: queued } = answer.body as Record<string, number>;
    expect(duration).toBeGreaterThan(0);
    expect(queued).toBeGreaterThanOrEqual(0);
  });

  it('shows why a job failed, and no archive if there is none', async () => {
    const values = { status: 'failed', failureReason: 'script_failure', finishedAt: new Date() } as const;
    const failed = await buildJob(api, pipeline, values);
    const { body } = await team.reporter.get(at(`/${failed.id}`));
    expect(body).toMatchObject({
      failure_reason: 'script_failure',
      artifacts: [],
      runner: null,
      duration: null,
    });
    expect(body).toMatchObject({ download_url: null });
    expect(body).not.toHaveProperty('artifacts_file');
  });

  it('hides private profiles', async () => {
    const [hidden] = await api.sql<{ id: number }>(
      `insert into users (username, name, email, confirmed_at, private_profile, bio, location)
       values ('hidden', 'Hidden', 'hidden@example.com', now(), true, 'secret', 'secret') returning id`,
    );
    const job = await buildJob(api, pipeline, { userId: hidden?.id ?? 0 });
    const { body, text } = await team.reporter.get(at(`/${job.id}`));
    expect(body).toMatchObject({ user: { username: 'hidden', bio: '', created_at: null } });
    expect(text).not.toContain('secret');
  });

  it('returns 404 for jobs of other projects and for commit statuses', async () => {
    const other = await buildProjectTeam(api);
    const job = await buildJob(api, pipeline);
    const status = await buildJob(api, pipeline, { kind: 'status', status: 'running' });
    for (const path of [
      `/projects/${other.projectId}/jobs/${job.id}`,
      at(`/${status.id}`),
      at('/99999999'),
    ]) {
      for (const suffix of ['', '/trace']) {
        const answer = await api.root.get(path + suffix);
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Job Not Found' }]);
      }
    }
  });

  describe('the list of jobs', () => {
    let mine: ProjectTeam;
    let jobs: number[];
    const list = (query: string) => mine.reporter.get<JobBody[]>(`/projects/${mine.projectId}/jobs${query}`);

    beforeAll(async () => {
      mine = await buildProjectTeam(api);
      const one = await buildPipeline(api, mine.projectId, { commit: COMMIT });
      jobs = [];
      for (const status of ['pending', 'success', 'failed', 'pending', 'manual'] as const)
        jobs.push((await buildJob(api, one, { status })).id);
      await buildJob(api, one, { kind: 'bridge', status: 'success' });
      await buildJob(api, one, { kind: 'status', status: 'success' });
    });

    it('is paginated with totals, newest first', async () => {
      const answer = await list('?per_page=2&page=2');
      expect(answer.body.map(({ id }) => id)).toEqual([jobs[2], jobs[1]]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({ 'x-total': '5', 'x-next-page': '3' });
    });

    it.each([
      ['?scope=pending', [3, 0]],
      ['?scope[]=pending&scope[]=failed', [3, 2, 0]],
      ['?scope[0]=manual&scope[1]=success', [4, 1]],
      ['?scope[]=canceled', []],
      ['?scope=', [4, 3, 2, 1, 0]],
    ])('%s', async (query, expected) => {
      const answer = await list(query);
      expect(answer.body.map(({ id }) => jobs.indexOf(id))).toEqual(expected);
      expect(answer.headers.get('x-total')).toBe(String(expected.length));
    });

    it.each(['?scope=unknown', '?scope[]=pending&scope[]=x', '?scope[a][b]=pending', '?scope[]=__proto__'])(
      'refuses %s',
      async (query) => {
        const answer = await list(query);
        expect([answer.status, answer.body]).toEqual([
          400,
          { message: { scope: ['does not have a valid value'] } },
        ]);
      },
    );

    it.each(['asc', 'desc'])('is paginated by keyset, %s', async (sort) => {
      const seen: number[] = [];
      let path: string | null =
        `/projects/${mine.projectId}/jobs?pagination=keyset&order_by=id&sort=${sort}&per_page=2`;
      while (path !== null) {
        const answer: Awaited<ReturnType<typeof list>> = await mine.reporter.get<JobBody[]>(path);
        expect(answer.headers.get('x-total')).toBeNull();
        seen.push(...answer.body.map(({ id }) => id));
        const next = /<[^>]*\/api\/v4([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '');
        path = next?.[1] ?? null;
      }
      expect(seen).toEqual(sort === 'asc' ? jobs : jobs.toReversed());
    });

    it('is rate-limited if a limit is set', async () => {
      await api.root.put('/application/settings', { project_jobs_api_rate_limit: 1 });
      const codes = [(await list('')).status, (await list('')).status];
      await api.root.put('/application/settings', { project_jobs_api_rate_limit: 600 });
      expect(codes).toContain(429);
    });
  });

  describe('access to jobs', () => {
    it.each([
      ['private', true, { anonymous: 401, stranger: 404, guest: 200, reporter: 200 }],
      ['private', false, { anonymous: 401, stranger: 404, guest: 403, reporter: 200 }],
      ['public', true, { anonymous: 401, stranger: 200, guest: 200, reporter: 200 }],
      ['public', false, { anonymous: 401, stranger: 403, guest: 403, reporter: 200 }],
    ] as const)('%s project, public_jobs %s', async (visibility, isOpen, expected) => {
      const own = await buildProjectTeam(api, visibility);
      await api.root.put(`/projects/${own.projectId}`, { public_jobs: isOpen });
      const { id } = await buildJob(api, await buildPipeline(api, own.projectId));
      for (const suffix of ['', `/${id}`, `/${id}/trace`]) {
        const path = `/projects/${own.projectId}/jobs${suffix}`;
        const codes = {
          anonymous: (await api.anonymous.get(path)).status,
          stranger: (await own.stranger.get(path)).status,
          guest: (await own.guest.get(path)).status,
          reporter: (await own.reporter.get(path)).status,
        };
        expect([suffix, codes]).toEqual([suffix, expected]);
      }
    });
  });

  describe('the trace', () => {
    it('is the output of the job, as plain text', async () => {
      const { job } = await buildRunningJob(api, pipeline);
      await api.sql('insert into ci_trace_chunks (job_id, start, data) values ($1, 0, $2), ($1, 6, $3)', [
        job.id,
        Buffer.from('hello '),
        Buffer.from('wörld\n'),
      ]);
      const answer = await team.guest.get<string>(at(`/${job.id}/trace`));
      expect([answer.status, answer.text]).toEqual([200, 'hello wörld\n']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `infile; filename="${job.id}.log"`,
        'content-length': '13',
        'x-content-type-options': 'nosniff',
      });
    });

    it('is empty if there is no output', async () => {
      const job = await buildJob(api, pipeline);
      const answer = await team.guest.get(at(`/${job.id}/trace`));
      expect([answer.status, answer.text]).toEqual([200, '']);
    });

    it('is visible only to Developers if it shows variables', async () => {
      const { job } = await buildRunningJob(api, pipeline, { debugTrace: true });
      const path = at(`/${job.id}/trace`);
      const codes = [team.guest, team.reporter, team.developer].map(
        async (client) => (await client.get(path)).status,
      );
      expect(await Promise.all(codes)).toEqual([403, 403, 200]);
    });
  });

  describe('the job of a token', () => {
    it('is returned while it runs, by header or parameter', async () => {
      const { job, token } = await buildRunningJob(api, pipeline);
      const answers = [
        await api.anonymous.get('/job', { 'JOB-TOKEN': token }),
        await api.anonymous.get(`/job?job_token=${token}`),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({ id: job.id, finished_at: null, pipeline: { id: pipeline.id } });
      }
      await api.sql(`update ci_jobs set status = 'success' where id = $1`, [job.id]);
      expect((await api.anonymous.get('/job', { 'JOB-TOKEN': token })).status).toBe(401);
    });

    it('does not exist for other credentials', async () => {
      expect((await api.anonymous.get('/job')).status).toBe(401);
      const answer = await team.developer.get('/job');
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Job Not Found' }]);
    });
  });
});
