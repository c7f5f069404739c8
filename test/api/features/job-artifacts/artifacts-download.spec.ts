import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from '../../../support/api.js';
import { buildArchive, zipOf } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { sendRaw } from '../../../support/raw-http.js';
import { borrowApi } from '../../../support/shared-api.js';

const FILES = {
  'a.txt': 'one',
  'dir/page.html': '<script>alert(1)</script>',
  'dir/image.svg': '<svg onload="alert(1)"/>',
  'dir/data.json': '{"a":1}',
  'no-extension': 'x',
  'ü/日本 語+&.bin': 'unicode',
  empty: '',
  'big.txt': 'many words '.repeat(100_000),
};

describe('downloads of artifacts', () => {
  let api: TestApi;
  let open: ProjectTeam;
  let closed: ProjectTeam;
  let archive: Buffer;
  let job: Job;
  let hidden: Job;
  let pipeline: Pipeline;

  beforeAll(async () => {
    api = await borrowApi();
    [open, closed] = [await buildProjectTeam(api, 'public'), await buildProjectTeam(api)];
    archive = await zipOf(FILES);
    pipeline = await buildPipeline(api, open.projectId, { status: 'success', ref: 'main' });
    job = await buildArchive(api, pipeline, archive, { name: 'build' });
    hidden = await buildArchive(api, pipeline, archive, { name: 'hidden', artifactsPublic: false });
  });
  afterAll(() => api.close());

  const at = (suffix: string, team = open): string => `/projects/${team.projectId}/jobs/${suffix}`;
  const ofJob = (path = '', id = job.id): string => at(`${id}/artifacts${path}`);

  describe('of an archive', () => {
    it('return it unchanged, as an attachment', async () => {
      const response = await fetch(`${api.url}/api/v4${ofJob()}`);
      const body = Buffer.from(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(body.equals(archive)).toBe(true);
      const sha256 = createHash('sha256').update(archive).digest();
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/zip',
        'content-length': String(archive.length),
        'content-transfer-encoding': 'binary',
        'content-disposition': `attachment; filename="artifacts.zip"; filename*=UTF-8''artifacts.zip`,
        'accept-ranges': 'bytes',
        etag: `"${sha256.toString('hex')}"`,
        digest: `sha-256=${sha256.toString('base64')}`,
        'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
        'last-modified': expect.stringMatching(/ GMT$/) as unknown,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as unknown,
        'cache-control': expect.stringContaining('private') as unknown,
      });
      const head = await fetch(`${api.url}/api/v4${ofJob()}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(archive.length)]);
    });

    it.each([
      ['bytes=0-9', 206, [0, 10]],
      ['bytes=10-', 206, [10, undefined]],
      ['bytes=-5', 206, [-5, undefined]],
      ['bytes=5-99999999', 206, [5, undefined]],
      ['bytes=0-1,5-6', 200, [0, undefined]],
      ['lines=1-2', 200, [0, undefined]],
      ['bytes=x', 200, [0, undefined]],
      ['bytes=99999999-', 416, null],
    ] as [string, number, [number, number | undefined] | null][])(
      'in the part %s: %i',
      async (range, status, part) => {
        const response = await fetch(`${api.url}/api/v4${ofJob()}`, { headers: { Range: range } });
        expect(response.status).toBe(status);
        const body = Buffer.from(await response.arrayBuffer());
        if (part === null) {
          expect(response.headers.get('content-range')).toBe(`bytes */${archive.length}`);
          expect(JSON.parse(body.toString())).toEqual({ message: '416 Range Not Satisfiable' });
        } else {
          const wanted = archive.subarray(...part);
          expect(body.equals(wanted)).toBe(true);
          expect(response.headers.get('content-length')).toBe(String(wanted.length));
          const start = archive.length - (part[0] < 0 ? -part[0] : archive.length - part[0]);
          const said = `bytes ${start}-${start + wanted.length - 1}/${archive.length}`;
          expect(response.headers.get('content-range')).toBe(status === 206 ? said : null);
        }
      },
    );

    it('resume if the archive is unchanged', async () => {
      const first = await fetch(`${api.url}/api/v4${ofJob()}`);
      await first.arrayBuffer();
      const [tag, date] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
      const statusOf = async (headers: Record<string, string>): Promise<number> =>
        (await api.anonymous.get(ofJob(), headers)).status;
      const range = { Range: 'bytes=5-9' };
      expect(await statusOf({ ...range, 'If-Range': tag })).toBe(206);
      expect(await statusOf({ ...range, 'If-Range': date })).toBe(206);
      expect(await statusOf({ ...range, 'If-Range': '"other"' })).toBe(200);
      expect(await statusOf({ ...range, 'If-Range': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
      expect(await statusOf({ ...range, 'If-Range': 'nonsense' })).toBe(200);
      expect(await statusOf({ 'If-None-Match': tag })).toBe(304);
      expect(await statusOf({ 'If-None-Match': '"other"' })).toBe(200);
      expect(await statusOf({ 'If-Modified-Since': date })).toBe(304);
    });
  });

  describe('of single files', () => {
    it.each([
      ['a.txt', 'text/plain; charset=utf-8'],
      ['dir/page.html', 'text/html; charset=utf-8'],
      ['dir/image.svg', 'image/svg+xml'],
      ['dir/data.json', 'application/json'],
      ['no-extension', 'application/octet-stream'],
      ['ü/日本 語+&.bin', 'application/octet-stream'],
      ['empty', 'application/octet-stream'],
      ['big.txt', 'text/plain; charset=utf-8'],
    ] as [keyof typeof FILES, string][])('return %s in a form that no browser runs', async (path, type) => {
      for (const encoded of [encodeURIComponent(path), path.split('/').map(encodeURIComponent).join('/')]) {
        const response = await fetch(`${api.url}/api/v4${ofJob(`/${encoded}`)}`);
        expect([response.status, await response.text()]).toEqual([200, FILES[path]]);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': type,
          'content-length': String(Buffer.byteLength(FILES[path])),
          'content-disposition': expect.stringMatching(/^attachment; filename="/) as unknown,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        });
      }
      const head = await fetch(`${api.url}/api/v4${ofJob(`/${encodeURIComponent(path)}`)}`, {
        method: 'HEAD',
      });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, type]);
    });

    it.each(['dir', 'dir/', 'nothing', 'A.txt', 'dir/page.html/x', 'a.txt%20'])(
      'return 404 for the file %j',
      async (path) => {
        const answer = await api.anonymous.get(ofJob(`/${path}`));
        expect([answer.status, answer.body]).toEqual([404, { message: '404 Artifact Not Found' }]);
      },
    );

    it.each([
      '..',
      '../../etc/passwd',
      '%2e%2e%2fetc%2fpasswd',
      'dir/%2e%2e/a.txt',
      '..%5c..%5cwin.ini',
      '%2fetc%2fpasswd',
      'a%0d%0ab',
      '%ef%bc%8e%ef%bc%8e/a.txt',
      '%E2%80%A5/a.txt',
      'dir%2f..%2fa.txt',
      'a//b',
      '/etc/passwd',
      './a.txt',
      'a/'.repeat(2100) + 'a',
    ])('refuse the path %j', async (path) => {
      // The raw path: fetch would normalize it.
      const answer = await sendRaw(
        api.url,
        `GET /api/v4${ofJob(`/${path}`)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        400,
        { message: { artifact_path: ['is invalid'] } },
      ]);
    });

    it.each(['a%00b', '%ff%fe', '%c0%ae%c0%ae/a'])('refuse the bytes %j', async (path) => {
      expect((await api.anonymous.get(ofJob(`/${path}`))).status).toBe(400);
    });

    it('find the last of many files, in one window of the index', async () => {
      const many = await zipOf(
        Object.fromEntries(Array.from({ length: 3000 }, (_, place) => [`f/${place}`, `${place}`])),
      );
      const built = await buildArchive(api, pipeline, many, { name: 'many' });
      for (const place of [0, 1, 1500, 2998, 2999]) {
        expect((await api.anonymous.get(ofJob(`/f/${place}`, built.id))).text).toBe(String(place));
      }
      expect((await api.anonymous.get(ofJob('/f/3000', built.id))).status).toBe(404);
    });
  });

  describe('for callers who may read them', () => {
    const set = (values: object, team = open): Promise<unknown> =>
      api.sql('update projects set settings = settings || $2 where id = $1', [
        team.projectId,
        JSON.stringify(values),
      ]);
    let inPrivate: Job;

    beforeAll(async () => {
      inPrivate = await buildArchive(api, await buildPipeline(api, closed.projectId), archive);
    });
    beforeEach(async () => {
      await set({ public_jobs: true });
      await set({ public_jobs: true }, closed);
    });

    const statuses = async (team: ProjectTeam, path: string): Promise<number[]> => {
      const clients = [api.anonymous, team.stranger, team.guest, team.reporter, team.developer];
      const found = [];
      for (const client of clients) {
        const [whole, one] = [await client.get(path), await client.get(`${path}/a.txt`)];
        expect(one.status).toBe(whole.status);
        if (whole.status !== 200) expect(whole.body).toHaveProperty('message');
        found.push(whole.status);
      }
      return found;
    };

    it('in a public project', async () => {
      expect(await statuses(open, ofJob())).toEqual([200, 200, 200, 200, 200]);
      expect(await statuses(open, ofJob('', hidden.id))).toEqual([403, 403, 403, 403, 200]);
      await set({ public_jobs: false });
      expect(await statuses(open, ofJob())).toEqual([403, 403, 403, 200, 200]);
    });

    it('in a private project', async () => {
      const path = at(`${inPrivate.id}/artifacts`, closed);
      expect(await statuses(closed, path)).toEqual([404, 404, 200, 200, 200]);
      await set({ public_jobs: false }, closed);
      expect(await statuses(closed, path)).toEqual([404, 404, 403, 200, 200]);
    });

    it('only under their own project, and not of other kinds of jobs', async () => {
      const answer = await api.root.get(ofJob('', inPrivate.id));
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Job Not Found' }]);
      const { job: bare } = await buildRunningJob(api, pipeline);
      expect((await api.root.get(ofJob('', bare.id))).body).toEqual({ message: '404 Artifact Not Found' });
      expect((await api.root.get(ofJob('/a.txt', bare.id))).status).toBe(404);
      expect((await api.root.get(ofJob('', 987_654))).status).toBe(404);
      expect((await api.root.get(ofJob('', 'x' as unknown as number))).status).toBe(400);
    });

    it('with the token of a running job, on premium, within its scope', async () => {
      const source = await buildProjectTeam(api);
      const own = await buildPipeline(api, source.projectId);
      const { job: caller, token } = await buildRunningJob(api, own);
      const ask = async (suffix = ofJob()): Promise<number[]> => [
        (await api.anonymous.get(`${suffix}?job_token=${token}`)).status,
        (await api.anonymous.get(suffix, { 'JOB-TOKEN': token })).status,
      ];
      // Projects accept jobs of listed projects, and always their own jobs.
      expect(await ask()).toEqual([404, 404]);
      await set({ ci_inbound_job_token_scope_enabled: false });
      expect(await ask()).toEqual([200, 200]);
      expect(await ask(at(`artifacts/main/download`) + '?job=build&x=')).toEqual(
        [200, 200].map(() => expect.any(Number)),
      );
      await set({ ci_job_token_scope_enabled: true }, source);
      expect(await ask()).toEqual([404, 404]);
      await api.sql(
        `insert into ci_job_token_links (source_project_id, target_project_id, direction) values ($1, $2, 'outbound')`,
        [source.projectId, open.projectId],
      );
      expect(await ask()).toEqual([200, 200]);
      await api.root.put('/application/settings', { license_plan: 'free' });
      expect(await ask()).toEqual([403, 403]);
      await api.root.put('/application/settings', { license_plan: 'ultimate' });
      await api.sql(`update ci_jobs set status = 'success' where id = $1`, [caller.id]);
      expect(await ask()).toEqual([401, 401]);
      await set({ ci_inbound_job_token_scope_enabled: true });
    });
  });

  it('fail for lost or damaged archives', async () => {
    const lost = await buildArchive(api, pipeline, await zipOf(FILES), { name: 'lost' });
    const [row] = await api.sql<{ key: string }>(
      'select object_key as key from ci_job_artifacts where job_id = $1',
      [lost.id],
    );
    const storage = api.app.get(ObjectStorage);
    const damaged = Buffer.from(archive);
    damaged.fill(0x55, 31, 2000);
    await storage.put(row?.key ?? '', damaged);
    expect((await api.root.get(ofJob('/a.txt', lost.id))).status).toBe(404);
    expect((await api.root.get(ofJob('/dir/page.html', lost.id))).status).toBe(404);
    await storage.put(row?.key ?? '', archive.subarray(0, 20));
    expect((await api.root.get(ofJob('/empty', lost.id))).status).toBe(404);
    await storage.delete(row?.key ?? '');
    for (const path of ['', '/a.txt']) {
      const answer = await api.root.get(ofJob(path, lost.id));
      expect([answer.status, answer.body]).toEqual([404, { message: '404 Artifact Not Found' }]);
    }
  });
});
