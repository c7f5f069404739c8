import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildArchive, zipOf } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { startS3, type TestS3 } from '../../../support/s3-server.js';

describe('artifacts in S3', () => {
  let s3: TestS3;
  let direct: TestApi;
  let team: ProjectTeam;
  let archive: Buffer;
  let path: string;
  let jobId: number;

  beforeAll(async () => {
    s3 = await startS3();
    direct = await startApi({
      OBJECT_STORE_URL: s3.url('forge/direct'),
      OBJECT_STORE_DIRECT_DOWNLOAD: 'true',
    });
    team = await buildProjectTeam(direct);
    archive = await zipOf({ 'a.txt': 'words' });
    const pipeline = await buildPipeline(direct, team.projectId, { status: 'success', ref: 'main' });
    ({ id: jobId } = await buildArchive(direct, pipeline, archive, { name: 'build' }));
    path = `/api/v4/projects/${team.projectId}/jobs/${jobId}/artifacts`;
  });
  afterAll(async () => {
    await direct.close();
    await s3.close();
  });

  const ask = (url: string, init: RequestInit = {}): Promise<Response> =>
    fetch(url, { redirect: 'manual', ...init });
  const owner = (): Record<string, string> => ({ 'private-token': ROOT_TOKEN });

  it('are fetched from there by a signed URL', async () => {
    const answer = await ask(`${direct.url}${path}`, { headers: owner() });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.searchParams.get('X-Amz-Expires')).toBe('60');
    const stored = await fetch(location);
    expect(Buffer.from(await stored.arrayBuffer()).equals(archive)).toBe(true);
    expect(stored.headers.get('content-disposition')).toContain('filename="artifacts.zip"');
    const part = await fetch(location, { headers: { range: 'bytes=2-5' } });
    expect(Buffer.from(await part.arrayBuffer()).equals(archive.subarray(2, 6))).toBe(true);
    // The URL gives access to no other object.
    location.pathname = location.pathname.replace(/[^/]+$/, 'other.zip');
    expect((await fetch(location)).ok).toBe(false);
  });

  it('are checked first: rights, existence and conditional headers', async () => {
    expect((await ask(`${direct.url}${path}`)).status).toBe(404);
    const head = await ask(`${direct.url}${path}`, { method: 'HEAD', headers: owner() });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(archive.length)]);
    const known = { ...owner(), 'if-none-match': head.headers.get('etag') ?? '' };
    expect((await ask(`${direct.url}${path}`, { headers: known })).status).toBe(304);
    const [row] = await direct.sql<{ key: string }>(
      'select object_key as key from ci_job_artifacts where job_id = $1',
      [jobId],
    );
    const storage = direct.app.get(ObjectStorage);
    await storage.delete(row?.key ?? '');
    expect((await ask(`${direct.url}${path}`, { headers: owner() })).status).toBe(404);
    await storage.put(row?.key ?? '', archive);
  });

  it('come through the service for runners that do not follow redirects, and for single files', async () => {
    const pipeline = await buildPipeline(direct, team.projectId, { status: 'running', ref: 'main' });
    const { job, token } = await buildRunningJob(direct, pipeline, { name: 'own' });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(archive)]), 'artifacts.zip');
    const own = `${direct.url}/api/v4/jobs/${job.id}/artifacts`;
    const headers = { 'JOB-TOKEN': token };
    expect((await fetch(own, { method: 'POST', headers, body: form })).status).toBe(201);
    const through = await ask(own, { headers });
    expect([through.status, (await through.arrayBuffer()).byteLength]).toEqual([200, archive.length]);
    expect((await ask(`${own}?direct_download=true`, { headers })).status).toBe(302);
    const file = await ask(`${direct.url}${path}/a.txt`, { headers: owner() });
    expect([file.status, await file.text()]).toEqual([200, 'words']);
  });

  it('are sent by the service by default', async () => {
    const plain = await startApi({
      OBJECT_STORE_URL: s3.url('forge/direct'),
      DATABASE_URL: direct.databaseUrl,
      SECRETS_KEY: 'a key of this test that is long enough',
    });
    const answer = await ask(`${plain.url}${path}`, { headers: owner() });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, archive.length]);
    await plain.close();
  });
});
