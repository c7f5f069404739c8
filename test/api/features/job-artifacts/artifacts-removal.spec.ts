import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JobContext } from '#kernel/queue/job-processor.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { ExpireProjectArtifactsProcessor } from '#features/job-artifacts/expiry/expire-project-artifacts.processor.js';
import { RemoveExpiredArtifactsProcessor } from '#features/job-artifacts/expiry/remove-expired-artifacts.processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { Transactions } from '#kernel/database/transactions.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildArchive, upload, zipOf } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { until } from '../../../support/until.js';

const context = { signal: new AbortController().signal } as unknown as JobContext;

describe('keeping and removing artifacts', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let archive: Buffer;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api, 'public');
    archive = await zipOf({ 'a.txt': 'one' });
  });
  afterAll(() => api.close());

  const artifactsOf = (job: Job, suffix = '', project = team): string =>
    `/projects/${project.projectId}/jobs/${job.id}/artifacts${suffix}`;

  /** A job with an archive, a report and a trace. */
  async function build(values: Partial<Job> = {}, locked = false, project = team): Promise<Job> {
    return buildIn({ locked }, values, project);
  }

  /** The same in a pipeline that differs in some values. */
  async function buildIn(of: Partial<Pipeline>, values: Partial<Job> = {}, project = team): Promise<Job> {
    const pipeline = await buildPipeline(api, project.projectId, { status: 'success', ...of });
    const { job, token } = await buildRunningJob(api, pipeline, values);
    await upload(api, job.id, token, archive, { query: { expire_in: '1 day' } });
    const report = { artifact_type: 'sast', artifact_format: 'raw' };
    await upload(api, job.id, token, Buffer.from('{}'), { query: report });
    await api.sql(
      `insert into ci_job_artifacts (project_id, job_id, file_type, filename, size, sha256, object_key)
       values ($1, $2::bigint, 'trace', 'job.log', 3, '', 'traces/' || $2::bigint)`,
      [project.projectId, job.id],
    );
    await api.sql(`update ci_jobs set status = 'success' where id = $1`, [job.id]);
    return job;
  }

  const typesOf = async (job: Job): Promise<string[]> =>
    (
      await api.sql<{ type: string }>('select file_type as type from ci_job_artifacts where job_id = $1', [
        job.id,
      ])
    )
      .map(({ type }) => type)
      .sort();

  const sizes = async (project = team): Promise<[number, number]> => {
    const [row] = await api.sql<{ counted: number; real: number }>(
      `select st.job_artifacts_size as counted, (select coalesce(sum(size), 0)::bigint from ci_job_artifacts where project_id = $1) as real
       from project_statistics st where project_id = $1`,
      [project.projectId],
    );
    return [row?.counted ?? -1, row?.real ?? -2];
  };

  const ALL = ['archive', 'sast', 'trace'];

  it('keep: returns the job, whose artifacts then never expire', async () => {
    const job = await build();
    const answer = await team.developer.post(artifactsOf(job, '/keep'));
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ id: job.id, artifacts_expire_at: null }),
    ]);
    const rows = await api.sql(
      `select kept, expire_at from ci_job_artifacts where job_id = $1 and file_type <> 'trace'`,
      [job.id],
    );
    expect(rows).toEqual([
      { kept: true, expire_at: null },
      { kept: true, expire_at: null },
    ]);
  });

  it('keep: requires Developers, and a job with artifacts', async () => {
    const job = await build();
    const statusOf = async (client = api.anonymous): Promise<number> =>
      (await client.post(artifactsOf(job, '/keep'))).status;
    expect(await Promise.all([statusOf(), statusOf(team.guest), statusOf(team.reporter)])).toEqual([
      401, 403, 403,
    ]);
    const { job: bare } = await buildRunningJob(api, await buildPipeline(api, team.projectId));
    const answer = await team.developer.post(artifactsOf(bare, '/keep'));
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Artifact Not Found' }]);
    expect(
      (await team.developer.post(`/projects/${team.projectId}/jobs/99999999/artifacts/keep`)).status,
    ).toBe(404);
  });

  it('keep: brings nothing back that has expired, but keeps what is locked', async () => {
    const [expired, locked] = [await build(), await build({}, true)];
    await api.sql(`update ci_job_artifacts set expire_at = now() where job_id = any($1)`, [
      [expired.id, locked.id],
    ]);
    expect((await team.developer.get(artifactsOf(expired))).status).toBe(404);
    const answer = await team.developer.post(artifactsOf(expired, '/keep'));
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Artifact Not Found' }]);
    expect((await team.developer.get(artifactsOf(expired))).status).toBe(404);
    expect((await team.developer.post(artifactsOf(locked, '/keep'))).status).toBe(200);
    expect((await team.developer.get(artifactsOf(locked))).status).toBe(200);
  });

  it('delete: removes the artifacts of a job except its trace, and their objects', async () => {
    const job = await build();
    const [row] = await api.sql<{ key: string }>(
      `select object_key as key from ci_job_artifacts where job_id = $1 and file_type = 'archive'`,
      [job.id],
    );
    for (const [client, status] of [
      [api.anonymous, 401],
      [team.reporter, 403],
      [team.developer, 403],
    ] as const) {
      expect((await client.delete(artifactsOf(job))).status).toBe(status);
    }
    await api.sql(`update ci_jobs set artifacts_expire_at = now() + interval '1 day' where id = $1`, [
      job.id,
    ]);
    const early = { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' };
    expect((await team.maintainer.delete(artifactsOf(job), early)).status).toBe(412);
    expect(await typesOf(job)).toEqual(ALL);
    for (let time = 0; time < 2; time += 1)
      expect((await team.maintainer.get(artifactsOf(job))).status).toBe(200);
    const answer = await team.maintainer.delete(artifactsOf(job));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await typesOf(job)).toEqual(['trace']);
    expect((await team.maintainer.get(artifactsOf(job))).status).toBe(404);
    const { body: shown } = await team.maintainer.get(`/projects/${team.projectId}/jobs/${job.id}`);
    expect(shown).toMatchObject({ artifacts: [{ file_type: 'trace' }], artifacts_expire_at: null });
    expect((await team.maintainer.delete(artifactsOf(job))).status).toBe(204);
    expect((await team.maintainer.delete(`/projects/${team.projectId}/jobs/99999999/artifacts`)).status).toBe(
      404,
    );
    const [counted, real] = await sizes();
    expect(counted).toBe(real);
    await api.app.get(RemoveObjectsProcessor, { strict: false }).process({}, context);
    await expect(api.app.get(ObjectStorage).head(row?.key ?? '')).rejects.toThrow(/does not exist/);
  });

  it('delete: removes all artifacts of a project except kept and locked ones and traces', async () => {
    const other = await buildProjectTeam(api);
    const [plain, kept] = [await build(), await build()];
    const locked = await buildIn({ locked: true, ref: 'release' });
    const foreign = await build({}, false, other);
    const never = await build();
    await api.sql('update ci_job_artifacts set expire_at = null where job_id = $1', [never.id]);
    await team.developer.post(artifactsOf(kept, '/keep'));
    const at = `/projects/${team.projectId}/artifacts`;
    for (const [client, status] of [
      [api.anonymous, 401],
      [team.reporter, 403],
      [team.developer, 403],
    ] as const) {
      expect((await client.delete(at)).status).toBe(status);
    }
    const answer = await team.maintainer.delete(at);
    expect([answer.status, answer.body]).toEqual([202, { message: '202 Accepted' }]);
    await until(async () => (await typesOf(plain)).length + (await typesOf(never)).length === 2, 20_000);
    expect(await typesOf(plain)).toEqual(['trace']);
    expect(await Promise.all([kept, locked, foreign].map(typesOf))).toEqual([ALL, ALL, ALL]);
    const [counted, real] = await sizes();
    expect(counted).toBe(real);
    expect(real).toBeGreaterThan(0);
  });

  it('delete: removes those of locked pipelines too, except the latest successful one of each ref', async () => {
    const project = await buildProjectTeam(api);
    const within = (of: Partial<Pipeline>): Promise<Job> => buildIn({ locked: true, ...of }, {}, project);
    const older = await within({});
    const ofOlder = await within({ parentId: older.pipelineId, source: 'parent_pipeline' });
    const latest = await within({});
    const ofLatest = await within({ parentId: latest.pipelineId, source: 'parent_pipeline' });
    const below = await within({
      parentId: ofLatest.pipelineId,
      source: 'parent_pipeline',
      status: 'failed',
    });
    const ofTag = await within({ tag: true });
    const ofBranch = await within({ ref: 'other' });
    const failed = await within({ status: 'failed' });
    const running = await within({ status: 'running' });
    const unlocked = await within({ ref: 'gone', locked: false });
    expect((await project.maintainer.delete(`/projects/${project.projectId}/artifacts`)).status).toBe(202);
    const going = [older, ofOlder, failed, running, unlocked];
    await until(async () => (await Promise.all(going.map(typesOf))).flat().length === going.length, 20_000);
    expect(await Promise.all(going.map(typesOf))).toEqual(going.map(() => ['trace']));
    const staying = [latest, ofLatest, below, ofTag, ofBranch];
    expect(await Promise.all(staying.map(typesOf))).toEqual(staying.map(() => ALL));
    const [counted, real] = await sizes(project);
    expect(counted).toBe(real);
    // Later artifacts of a pipeline are locked again: it may become the latest successful one.
    const { job, token } = await buildRunningJob(
      api,
      { id: running.pipelineId, projectId: project.projectId } as Pipeline,
      { ref: 'main', name: 'later' },
    );
    await upload(api, job.id, token, archive, { query: { expire_in: '1 day' } });
    const later = await api.sql('select locked from ci_job_artifacts where job_id = $1', [job.id]);
    expect(later).toEqual([{ locked: true }]);
  });

  it('delete: ends downloads of a project immediately, even if the removal is delayed', async () => {
    const project = await buildProjectTeam(api);
    const job = await buildIn({ locked: true, status: 'failed' }, {}, project);
    const download = (): Promise<{ status: number }> => project.maintainer.get(artifactsOf(job, '', project));
    expect((await download()).status).toBe(200);
    const processor = api.app.get(ExpireProjectArtifactsProcessor, { strict: false });
    const enqueue = jest.spyOn(api.app.get(Jobs), 'enqueue').mockResolvedValue(undefined);
    await processor.process({ projectId: project.projectId }, context).finally(() => {
      enqueue.mockRestore();
    });
    expect((await download()).status).toBe(404);
  });

  it('expiry: removes expired artifacts, and no others', async () => {
    const [due, later, locked, kept] = [await build(), await build(), await build({}, true), await build()];
    await team.developer.post(artifactsOf(kept, '/keep'));
    await api.sql(
      `update ci_job_artifacts set expire_at = now() - interval '1 minute' where file_type <> 'trace' and job_id = any($1)`,
      [[due.id, locked.id]],
    );
    // As for downloads, before they are removed.
    const found = `/projects/${team.projectId}/jobs/${due.id}`;
    const { body } = await team.reporter.get(found);
    expect(body).toMatchObject({ download_url: null, artifacts: [{ file_type: 'trace' }] });
    expect(body).not.toHaveProperty('artifacts_file');
    const processor = api.app.get(RemoveExpiredArtifactsProcessor, { strict: false });
    await processor.process({}, context);
    expect(await Promise.all([due, later, locked, kept].map(typesOf))).toEqual([['trace'], ALL, ALL, ALL]);
    await api.sql(
      'update ci_pipelines p set locked = false from ci_jobs j where j.pipeline_id = p.id and j.id = $1',
      [locked.id],
    );
    await Promise.all([processor.process({}, context), processor.process({}, context)]);
    expect(await typesOf(locked)).toEqual(['trace']);
  });

  it('expiry: removes objects after others that cannot be removed, none of which can be kept then', async () => {
    const storage = api.app.get(ObjectStorage);
    const stuck = Array.from({ length: 199 }, (_, index) => `artifacts/stuck/${index}`);
    await storage.put('artifacts/last', Buffer.from('x'));
    await api.sql(
      `insert into object_claims (object_key, due_at) select key, now() - interval '1 day' from unnest($1::text[]) key
       union all select 'artifacts/first', now() - interval '2 days' union all select 'artifacts/last', now() - interval '1 hour'`,
      [stuck],
    );
    const remove = storage.delete.bind(storage);
    const broken = jest.spyOn(storage, 'delete').mockImplementation((key) => {
      return stuck.includes(key) ? Promise.reject(new Error('broken')) : remove(key);
    });
    const processor = api.app.get(RemoveObjectsProcessor, { strict: false });
    await processor.process({}, context).finally(() => {
      broken.mockRestore();
    });
    await expect(storage.head('artifacts/last')).rejects.toThrow(/does not exist/);
    const left = `select 1 from object_claims where object_key like 'artifacts/stuck/%'`;
    expect(await api.sql(left)).toHaveLength(stuck.length);
    const kept = api.app.get(Transactions).run((tx) => api.app.get(ObjectClaims).keep(tx, stuck[0] ?? ''));
    await expect(kept).rejects.toMatchObject({ status: 503 });
    await processor.process({}, context);
    expect(await api.sql(left)).toEqual([]);
  });

  it('statistics: subtract artifacts that are removed with their job, pipeline or project', async () => {
    const project = await buildProjectTeam(api);
    const jobs = [await build({}, false, project), await build({}, false, project)];
    expect(await sizes(project)).toEqual([2 * (archive.length + 5), 2 * (archive.length + 5)]);
    await api.sql('delete from ci_jobs where id = $1', [jobs[0]?.id]);
    expect(await sizes(project)).toEqual([archive.length + 5, archive.length + 5]);
    await api.sql('delete from ci_pipelines where id = $1', [jobs[1]?.pipelineId]);
    expect(await sizes(project)).toEqual([0, 0]);
    await buildArchive(api, await buildPipeline(api, project.projectId), archive);
    await api.sql('delete from projects where id = $1', [project.projectId]);
    expect(
      await api.sql('select 1 from project_statistics where project_id = $1', [project.projectId]),
    ).toEqual([]);
  });
});
