import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from '../../../support/api.js';
import { buildArchive, zipOf } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { createUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

describe('artifacts', () => {
  let api: TestApi;
  let open: ProjectTeam;
  let closed: ProjectTeam;
  let archive: Buffer;
  let job: Job;
  let hidden: Job;
  let pipeline: Pipeline;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    [open, closed] = [await buildProjectTeam(api, 'public'), await buildProjectTeam(api)];
    archive = await zipOf({ 'a.txt': 'one' });
    pipeline = await buildPipeline(api, open.projectId, { status: 'success', ref: 'main' });
    job = await buildArchive(api, pipeline, archive, { name: 'build' });
    hidden = await buildArchive(api, pipeline, archive, { name: 'hidden', artifactsPublic: false });
  });
  afterAll(() => api.close());

  const at = (suffix: string, team = open): string => `/projects/${team.projectId}/jobs/${suffix}`;
  const ofJob = (path = '', id = job.id): string => at(`${id}/artifacts${path}`);

  describe('by ref', () => {
    const byRef = (ref: string, name = 'build', suffix = 'download'): string =>
      at(`artifacts/${encodeURIComponent(ref)}/${suffix}?job=${encodeURIComponent(name)}`);
    const contentOf = async (ref: string, name?: string): Promise<string | number> => {
      const answer = await open.developer.get(byRef(ref, name, 'raw/which'));
      return answer.status === 200 ? answer.text : answer.status;
    };
    const archived = async (given: Pipeline, which: string, values: Partial<Job> = {}): Promise<Job> =>
      buildArchive(api, given, await zipOf({ which }), { name: 'build', ...values });

    it('are those of the newest successful pipeline', async () => {
      const ref = 'improve/awesome';
      const make = (status: Pipeline['status']): Promise<Pipeline> =>
        buildPipeline(api, open.projectId, { status, ref });
      await archived(await make('success'), 'older');
      const newest = await make('success');
      await archived(newest, 'retried', { retried: true });
      await archived(newest, 'newest');
      await archived(newest, 'another', { name: 'other job/ü' });
      await archived(await make('failed'), 'failed');
      await archived(await make('running'), 'running');
      expect(await contentOf(ref)).toBe('newest');
      expect(await contentOf(ref, 'other job/ü')).toBe('another');
      expect(await contentOf(ref, 'nobody')).toBe(404);
      expect(await contentOf('unknown')).toBe(404);
      expect(await contentOf(newest.sha)).toBe(404);
      expect(await contentOf('HEAD')).toBe(404);
      const whole = await fetch(`${api.url}/api/v4${byRef(ref)}`);
      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/zip']);
      expect(await whole.arrayBuffer()).toHaveProperty('byteLength');
      const [plain] = byRef(ref).split('?');
      expect((await open.developer.get(plain ?? '')).body).toEqual({
        message: '400 (Bad request) "job" not given',
      });
      expect((await open.developer.get(byRef(ref, 'build', 'raw/..%2fx'))).status).toBe(400);
    });

    it('are found for tags, and for refs named like parts of the path', async () => {
      for (const ref of ['v1.0', 'artifacts', 'raw', '1']) {
        await archived(
          await buildPipeline(api, open.projectId, { status: 'success', ref, tag: ref === 'v1.0' }),
          ref,
        );
        expect(await contentOf(ref)).toBe(ref);
      }
    });

    it('are those of the protected ref if a branch and a tag share a name, or else of the branch', async () => {
      const make = (values: Partial<Pipeline>): Promise<Pipeline> =>
        buildPipeline(api, open.projectId, { status: 'success', ...values });
      for (const [ref, isProtected] of [
        ['same', false],
        ['v2.0', true],
      ] as const) {
        await archived(await make({ ref }), 'branch');
        await archived(await make({ ref, tag: true, protected: isProtected }), 'tag');
        expect(await contentOf(ref)).toBe(isProtected ? 'tag' : 'branch');
        await archived(await make({ ref }), 'later');
        expect(await contentOf(ref)).toBe(isProtected ? 'tag' : 'later');
      }
    });

    it('are those of the parent before those of its children, at any depth', async () => {
      const values = { status: 'success', ref: 'family' } as const;
      const parent = await buildPipeline(api, open.projectId, values);
      let last = parent;
      for (let depth = 0; depth < 10; depth += 1) {
        last = await buildPipeline(api, open.projectId, { ...values, parentId: last.id });
        await archived(last, `child ${depth}`, { name: depth === 0 ? 'build' : `build ${depth}` });
      }
      expect(await contentOf('family')).toBe('child 0');
      expect(await contentOf('family', 'build 3')).toBe('child 3');
      expect(await contentOf('family', 'build 9')).toBe(404);
      await archived(parent, 'parent');
      expect(await contentOf('family')).toBe('parent');
      // No real pipeline is its own ancestor, but the search must end even then.
      await api.sql('update ci_pipelines set parent_id = $2 where id = $1', [parent.id, last.id]);
      expect(await contentOf('family')).toBe(404);
    });

    it('exist until they expire, or longer for the latest successful pipeline', async () => {
      const given = await buildPipeline(api, open.projectId, { status: 'success', ref: 'old' });
      const built = await archived(given, 'old');
      await api.sql(`update ci_job_artifacts set expire_at = now() - interval '1 day' where job_id = $1`, [
        built.id,
      ]);
      expect(await contentOf('old')).toBe(404);
      expect((await open.developer.get(ofJob('', built.id))).status).toBe(404);
      await api.sql('update ci_pipelines set locked = true where id = $1', [given.id]);
      expect(await contentOf('old')).toBe('old');
      expect((await open.developer.get(ofJob('', built.id))).status).toBe(200);
    });

    it('follow the same access rules', async () => {
      expect((await api.anonymous.get(byRef('main', 'hidden'))).body).toEqual({ message: '403 Forbidden' });
      expect((await api.anonymous.get(byRef('main', 'hidden', 'raw/a.txt'))).status).toBe(403);
      expect((await open.developer.get(byRef('main', 'hidden', 'raw/a.txt'))).text).toBe('one');
      expect(
        (await api.anonymous.get(`/projects/${closed.projectId}/jobs/artifacts/main/download?job=build`))
          .status,
      ).toBe(404);
    });
  });

  describe('by other jobs', () => {
    const fetchWith = (token: string, id: number) =>
      api.anonymous.get(`/jobs/${id}/artifacts?direct_download=true`, { 'JOB-TOKEN': token });

    it('are available to running jobs whose user may read them', async () => {
      const { job: next, token } = await buildRunningJob(api, pipeline);
      const stranger = await buildRunningJob(api, await buildPipeline(api, closed.projectId));
      const pending = await buildRunningJob(api, pipeline, { status: 'pending' });
      const answer = await fetch(`${api.url}/api/v4/jobs/${job.id}/artifacts`, {
        headers: { 'JOB-TOKEN': token },
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(archive)).toBe(true);
      expect((await fetchWith(token, hidden.id)).status).toBe(200);
      expect((await fetchWith(token, 987_654)).status).toBe(403);
      expect((await fetchWith(token, next.id)).body).toEqual({ message: '404 Artifact Not Found' });
      expect((await fetchWith(stranger.token, job.id)).status).toBe(403);
      for (const wrong of ['', 'nothing', pending.token]) {
        const refused = await fetchWith(wrong, job.id);
        expect([refused.status, refused.body]).toEqual([401, { message: '401 Unauthorized' }]);
      }
      await api.sql(`update ci_jobs set status = 'success' where id = $1`, [next.id]);
      expect((await fetchWith(token, job.id)).status).toBe(401);
    });

    it('are refused once the account of their user is no longer active', async () => {
      const changes = [
        `state = 'blocked'`,
        `state = 'active', pending_delete = true`,
        `pending_delete = false, password_expires_at = now()`,
      ];
      const user = await createUser(api);
      const path = `/projects/${open.projectId}/members`;
      await api.root.post(path, { user_id: user.id, access_level: 30 });
      const own = await buildPipeline(api, open.projectId, { userId: user.id });
      const { token } = await buildRunningJob(api, own);
      expect((await fetchWith(token, job.id)).status).toBe(200);
      for (const change of changes) {
        await api.sql(`update users set ${change} where id = $1`, [user.id]);
        expect([change, (await fetchWith(token, job.id)).status]).toEqual([change, 401]);
      }
    });
  });

  it('are cut off if they are damaged far from their start, so that clients notice', async () => {
    const content = await zipOf({ noise: randomBytes(4_000_000) });
    const damaged = await buildArchive(api, pipeline, content, { name: 'damaged' });
    const [row] = await api.sql<{ key: string }>(
      'select object_key as key from ci_job_artifacts where job_id = $1',
      [damaged.id],
    );
    for (const place of [3_999_000, 2_000_000]) {
      const bytes = Buffer.from(content);
      bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
      await api.app.get(ObjectStorage).put(row?.key ?? '', bytes);
      const answer = await fetch(`${api.url}/api/v4${ofJob('/noise', damaged.id)}`);
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '4000000']);
      await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
    }
    expect((await api.anonymous.get(ofJob('/a.txt'))).text).toBe('one');
  });
});
