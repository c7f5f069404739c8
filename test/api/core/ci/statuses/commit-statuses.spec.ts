import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { buildJob, buildPipeline } from '../../../../support/builders/ci.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface StatusBody {
  readonly id: number;
  readonly status: string;
  readonly name: string;
  readonly ref: string;
  readonly pipeline_id: number;
}

describe('commit statuses', () => {
  let api: TestApi;
  let project: CodeProject;
  let sha: string;
  const post = (body: object, on = sha, client: ApiClient = project.developer): Promise<Answer<StatusBody>> =>
    client.post<StatusBody>(`/projects/${project.id}/statuses/${on}`, body);
  const list = (query = '', client: ApiClient = project.reporter): Promise<Answer<StatusBody[]>> =>
    client.get<StatusBody[]>(`/projects/${project.id}/repository/commits/${sha}/statuses${query}`);
  const pipelines = (): Promise<{ id: number; source: string; status: string; iid: number }[]> =>
    api.sql(`select id, iid, source, status from ci_pipelines where project_id = $1 order by id`, [
      project.id,
    ]);

  beforeAll(async () => {
    api = await borrowApi();
  });
  afterAll(() => api.close());

  const fresh = async (): Promise<void> => {
    project = await buildCodeProject(api, async (work) => {
      await work.git('branch', 'side');
      await work.git('tag', 'v1');
    });
    sha = project.commits[1] ?? '';
  };

  describe('posting a status', () => {
    it('is refused for a new name in a pipeline with as many jobs as one may have', async () => {
      await fresh();
      const { id } = await buildPipeline(api, project.id, { sha, status: 'success' });
      await api.sql(
        `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref)
          select $1, $2, 'status', 'test ' || n || '/2000', 'external', 1000000, 'success', 1, 'main' from generate_series(1, 2000) n`,
        [project.id, id],
      );
      const refused = await post({ state: 'success', name: 'another' });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('too many jobs')]);
      const repeated = await post({ state: 'failed', name: 'test 7/2000' });
      expect([repeated.status, repeated.body.pipeline_id]).toEqual([201, id]);
    });

    it('is refused if it replaces another one in a pipeline with many replaced ones', async () => {
      await fresh();
      const { id } = await buildPipeline(api, project.id, { sha, status: 'success' });
      await api.sql(
        `insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, attempt)
          values ($1, $2, 'status', 'test', 'external', 1000000, 'success', 1, 'main', 9998)`,
        [project.id, id],
      );
      for (let report = 0; report < 2; report += 1)
        expect((await post({ state: 'success', name: 'test' })).status).toBe(201);
      const refused = await post({ state: 'success', name: 'test' });
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('replaced statuses')]);
      expect((await post({ state: 'success', name: 'another' })).status).toBe(201);
    });

    it('to a branch does not affect a tag of the same name', async () => {
      await fresh();
      const tagged = await buildPipeline(api, project.id, { sha, ref: 'main', tag: true, protected: true });
      const { status, body } = await post({ state: 'failed', ref: 'main' });
      expect([status, body.pipeline_id === tagged.id]).toEqual([201, false]);
      expect((await post({ state: 'failed', ref: 'main', pipeline_id: tagged.id })).status).toBe(404);
    });

    it.each(['pending', 'running', 'success', 'failed', 'canceled'])(
      'accepts %s without other attributes, in an external pipeline',
      async (state) => {
        await fresh();
        const answer = await post({ state });
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject({
          sha,
          ref: 'main',
          status: state,
          name: 'default',
          target_url: null,
          description: null,
          coverage: null,
          allow_failure: false,
          author: { id: project.developerId },
        });
        const [pipeline, ...others] = await pipelines();
        expect(others).toEqual([]);
        expect(pipeline).toMatchObject({
          iid: 1,
          source: 'external',
          status: state,
          id: answer.body.pipeline_id,
        });
        const jobs = await api.sql(
          `select kind, stage, stage_index, failure_reason from ci_jobs where id = $1`,
          [answer.body.id],
        );
        const failureReason = state === 'failed' ? 'api_failure' : null;
        expect(jobs).toEqual([
          { kind: 'status', stage: 'external', stage_index: 1_000_000, failure_reason: failureReason },
        ]);
      },
    );

    it.each(['running', 'success', 'failed', 'canceled'])(
      'goes from pending to %s in the same row',
      async (state) => {
        const name = `ci/${state}`;
        const first = await post({ state: 'pending', name });
        const second = await post({
          state,
          context: name,
          description: 'test',
          coverage: 80.5,
          target_url: 'https://ci.example.com/1?a=b',
        });
        expect(second.status).toBe(201);
        expect(second.body).toMatchObject({
          id: first.body.id,
          status: state,
          name,
          description: 'test',
          coverage: 80.5,
          target_url: 'https://ci.example.com/1?a=b',
        });
        if (state === 'running') return;
        // A finished status stays; the next one creates a new row that replaces it.
        const third = await post({ state: 'success', name });
        expect(third.body.id).not.toBe(first.body.id);
        const latest = (await list(`?name=${encodeURIComponent(name)}`)).body.map(({ id }) => id);
        const all = (await list(`?all=true&name=${encodeURIComponent(name)}`)).body.map(({ id }) => id);
        expect([latest, all]).toEqual([[third.body.id], [first.body.id, third.body.id]]);
      },
    );

    it.each([
      ['pending', 'pending', 'enqueue'],
      ['running', 'running', 'run'],
      ['running', 'pending', 'enqueue'],
    ])('refuses %s, then %s', async (first, second, event) => {
      await post({ state: first, name: `repeat/${first}/${second}` });
      const answer = await post({ state: second, name: `repeat/${first}/${second}`, description: 'lost' });
      const message = `Cannot transition status via :${event} from :${first} (Reason(s): Status cannot transition via "${event}")`;
      expect([answer.status, answer.body]).toEqual([400, { message }]);
      expect((await list(`?name=repeat/${first}/${second}`)).body).toMatchObject([
        { status: first, description: null },
      ]);
    });

    it('updates the status of the pipeline, and replaces no job', async () => {
      await fresh();
      const pipeline = await buildPipeline(api, project.id, { sha });
      const job = await buildJob(api, pipeline, { name: 'rspec', status: 'success' });
      const answer = await post({ state: 'failed', name: 'rspec' });
      expect(answer.body.pipeline_id).toBe(pipeline.id);
      expect(await pipelines()).toMatchObject([{ id: pipeline.id, status: 'failed' }]);
      expect((await list()).body.map(({ id }) => id)).toEqual([job.id, answer.body.id]);
      const jobs = await project.reporter.get<{ id: number }[]>(`/projects/${project.id}/jobs`);
      expect(jobs.body.map(({ id }) => id)).toEqual([job.id]);
    });

    it('finds the pipeline by ref and id', async () => {
      await fresh();
      const side = await buildPipeline(api, project.id, { sha, ref: 'side' });
      const older = await buildPipeline(api, project.id, { sha });
      const newer = await buildPipeline(api, project.id, { sha });
      expect((await post({ state: 'success', name: 'a' })).body.pipeline_id).toBe(newer.id);
      expect((await post({ state: 'success', name: 'b', ref: 'refs/heads/side' })).body).toMatchObject({
        pipeline_id: side.id,
        ref: 'side',
      });
      expect((await post({ state: 'success', name: 'c', pipeline_id: older.id })).body.pipeline_id).toBe(
        older.id,
      );
      const wrong = await post({ state: 'success', pipeline_id: 99_999_999 });
      expect([wrong.status, wrong.body]).toEqual([404, { message: '404 Pipeline Not Found' }]);
      const other = await buildCodeProject(api);
      const foreign = await buildPipeline(api, other.id, { sha });
      expect((await post({ state: 'success', pipeline_id: foreign.id })).status).toBe(404);
    });

    it('creates one pipeline for many simultaneous requests', async () => {
      await fresh();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => post({ state: 'running', name: `n${at}` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
      expect(await pipelines()).toMatchObject([{ status: 'running' }]);
      const twice = await Promise.all([1, 2].map(() => post({ state: 'pending', name: 'same' })));
      expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
    });

    it.each([
      [{ state: 'done' }, { state: ['does not have a valid value'] }],
      [{ state: 'success', target_url: 'javascript:alert(1)' }, { target_url: ['must be a valid URL'] }],
      [{ state: 'success', target_url: 'https://a b' }, { target_url: ['must be a valid URL'] }],
      [{ state: 'success', name: ['a'] }, { name: ['is invalid'] }],
      [{ state: 'success', ref: 'a..b' }, { ref: ['is invalid'] }],
      [
        { state: 'success', description: 'x'.repeat(256) },
        { description: ['is too long (maximum is 255 characters)'] },
      ],
    ])('refuses %j', async (body, message) => {
      const answer = await post(body);
      expect([answer.status, answer.body]).toEqual([400, { message }]);
    });

    it('requires a state and a commit that is on a branch', async () => {
      expect((await post({})).body).toEqual({ message: '400 (Bad request) "state" not given' });
      const unknown = await post({ state: 'success' }, 'f'.repeat(40));
      expect([unknown.status, unknown.body]).toEqual([404, { message: '404 Commit Not Found' }]);
      const loose = (await project.work.git('commit-tree', `${sha}^{tree}`, '-m', 'loose')).trim();
      await project.work.git('push', project.repositoryPath, `${loose}:refs/tags/loose`);
      const answer = await post({ state: 'success' }, loose);
      expect([answer.status, answer.body]).toEqual([404, { message: '404 References for commit Not Found' }]);
      expect((await post({ state: 'success', ref: 'loose' }, loose)).status).toBe(201);
    });

    it('requires the Developer role, and on protected branches the right to push or merge', async () => {
      expect((await post({ state: 'success' }, sha, project.reporter)).status).toBe(403);
      expect((await post({ state: 'success' }, sha, project.guest)).status).toBe(403);
      expect((await post({ state: 'success' }, sha, api.anonymous)).status).toBe(401);
      await api.root.post(`/projects/${project.id}/protected_branches`, {
        name: 'side',
        push_access_level: 40,
        merge_access_level: 40,
      });
      const body = { state: 'success', ref: 'side' };
      expect((await post(body)).status).toBe(403);
      expect((await post(body, sha, project.maintainer)).status).toBe(201);
    });
  });

  describe('reading statuses', () => {
    beforeAll(fresh);

    it('returns the latest status of each name, by ref, stage and name', async () => {
      expect((await list()).body).toEqual([]);
      await post({ state: 'failed', name: 'a' });
      const a = (await post({ state: 'success', name: 'a' })).body.id;
      const b = (await post({ state: 'success', name: 'b', ref: 'side' })).body.id;
      const ids = async (query: string): Promise<number[]> => (await list(query)).body.map(({ id }) => id);
      expect(await ids('')).toEqual([a, b]);
      expect((await ids('?all=true')).length).toBe(3);
      expect(await ids('?ref=side')).toEqual([b]);
      expect(await ids('?name=a')).toEqual([a]);
      expect(await ids('?stage=external&sort=desc')).toEqual([b, a]);
      expect(await ids('?stage=build')).toEqual([]);
    });

    it('shows the last pipeline of the commit, unless jobs are visible to members only', async () => {
      const [, second] = await pipelines();
      const path = `/projects/${project.id}/repository/commits/${sha}`;
      expect((await project.reporter.get(path)).body).toMatchObject({
        status: 'success',
        last_pipeline: {
          id: second?.id,
          iid: 2,
          ref: 'side',
          status: 'success',
          source: 'external',
          web_url: `http://forgeplane.test/${project.fullPath}/-/pipelines/${second?.id ?? 0}`,
        },
      });
      await api.root.put(`/projects/${project.id}`, { visibility: 'public', public_jobs: false });
      const hidden = { status: null, last_pipeline: null };
      expect((await api.anonymous.get(path)).body).toMatchObject(hidden);
      await api.root.put(`/projects/${project.id}`, { public_jobs: true });
      expect((await api.anonymous.get(path)).body).toMatchObject({ status: 'success' });
      await api.root.put(`/projects/${project.id}`, { visibility: 'private' });
    });

    it('requires the Reporter role in a private project', async () => {
      expect((await list('', project.guest)).status).toBe(403);
      expect((await list('', api.anonymous)).status).toBe(401);
    });
  });
});
