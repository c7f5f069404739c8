import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../support/api.js';
import { buildArchive, zipOf } from '../support/builders/artifacts.js';
import { buildPipeline } from '../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';
import { hasNginx, Nginx } from '../support/nginx.js';

(hasNginx ? describe : describe.skip)('files that nginx sends (X-Accel-Redirect)', () => {
  let folder: string;
  let api: TestApi;
  let nginx: Nginx;
  let team: ProjectTeam;
  let archive: Buffer;
  let job: Job;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forgeplane-sendfile-'));
    api = await startApi({
      DATA_DIR: folder,
      SENDFILE_HEADER: 'X-Accel-Redirect',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    nginx = await Nginx.start(api.url, join(folder, 'objects'));
    team = await buildProjectTeam(api);
    archive = await zipOf({ 'a.txt': 'many words '.repeat(100_000) });
    const pipeline = await buildPipeline(api, team.projectId, { status: 'success', ref: 'main' });
    job = await buildArchive(api, pipeline, archive, { name: 'build' });
  });
  afterAll(async () => {
    await nginx.stop();
    await api.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const path = (): string => `/api/v4/projects/${team.projectId}/jobs/${job.id}/artifacts`;
  const get = (base: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${base}${path()}`, { headers: { 'private-token': ROOT_TOKEN, ...headers } });

  it('are sent by their object key, with the right type', async () => {
    const direct = await get(api.url);
    expect(direct.headers.get('x-accel-redirect')).toMatch(/^\/-\/objects\/artifacts\//);
    expect(await direct.text()).toBe('');

    const response = await get(nginx.url);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(archive)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': direct.headers.get('content-disposition'),
      'content-length': String(archive.length),
      etag: direct.headers.get('etag'),
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers.has('x-accel-redirect')).toBe(false);
  });

  it('are sent in ranges, or not at all to clients that have them', async () => {
    const part = await get(nginx.url, { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(archive.subarray(10, 20))).toBe(true);
    const tag = part.headers.get('etag') ?? '';
    expect((await get(nginx.url, { 'if-none-match': tag })).status).toBe(304);
    const same = await get(nginx.url, { range: 'bytes=10-19', 'if-range': tag });
    expect([same.status, (await same.arrayBuffer()).byteLength]).toEqual([206, 10]);
    const other = await get(nginx.url, { range: 'bytes=10-19', 'if-range': '"another"' });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, archive.length]);
    expect((await get(nginx.url, { range: `bytes=${archive.length}-` })).status).toBe(416);
  });

  it('are not sent to callers who may not read them, nor through nginx directly', async () => {
    expect((await fetch(`${nginx.url}${path()}`)).status).toBe(404);
    const place = (await get(api.url)).headers.get('x-accel-redirect') ?? '';
    expect((await fetch(`${nginx.url}${place}`)).status).toBe(404);
  });

  it('are 404 as always when they are lost', async () => {
    const lost = await buildArchive(
      api,
      await buildPipeline(api, team.projectId, { status: 'success', ref: 'main' }),
      archive,
      { name: 'lost' },
    );
    const [row] = await api.sql<{ key: string }>(
      'select object_key as key from ci_job_artifacts where job_id = $1',
      [lost.id],
    );
    await api.app.get(ObjectStorage).delete(row?.key ?? '');
    const response = await fetch(`${nginx.url}/api/v4/projects/${team.projectId}/jobs/${lost.id}/artifacts`, {
      headers: { 'private-token': ROOT_TOKEN },
    });
    expect([response.status, await response.json()]).toEqual([404, { message: '404 Artifact Not Found' }]);
  });
});
