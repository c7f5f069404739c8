import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { connect } from 'node:net';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { upload, zipOf, type UploadOptions } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { until } from '../../../support/until.js';

describe('invalid artifacts from runners', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let pipeline: Pipeline;
  let archive: Buffer;

  beforeAll(async () => {
    api = await startApi();
  });
  beforeAll(async () => {
    team = await buildProjectTeam(api);
    pipeline = await buildPipeline(api, team.projectId);
    archive = await zipOf({ 'a.txt': 'one', 'dir/b.txt': 'two' });
  });
  afterAll(() => api.close());

  const running = (values: Partial<Job> = {}) => buildRunningJob(api, pipeline, values);
  const storedOf = (jobId: number): Promise<{ filename: string }[]> =>
    api.sql('select * from ci_job_artifacts where job_id = $1 order by id', [jobId]);
  async function send(content: Buffer, options: UploadOptions = {}, values: Partial<Job> = {}) {
    const { job, token } = await running(values);
    return { job, token, answer: await upload(api, job.id, token, content, options) };
  }

  it('are refused unless they are valid archives', async () => {
    const cut = archive.subarray(0, -5);
    for (const content of [
      Buffer.from('no archive'),
      Buffer.alloc(0),
      cut,
      Buffer.alloc(200_000, 'PK\x05\x06'),
    ]) {
      const { job, answer } = await send(content);
      expect([answer.status, answer.body?.['message']]).toEqual([
        400,
        expect.stringMatching(/^Invalid archive: /),
      ]);
      expect(await storedOf(job.id)).toEqual([]);
    }
  });

  it('are refused if they do not have as many entries as they declare', async () => {
    const end = archive.lastIndexOf('PK\x05\x06');
    for (const count of [0, 1, 3]) {
      const lying = Buffer.from(archive);
      lying.writeUInt16LE(count, end + 8);
      lying.writeUInt16LE(count, end + 10);
      const { job, answer } = await send(lying);
      expect([answer.status, answer.body?.['message']]).toEqual([
        400,
        expect.stringMatching(/^Invalid archive: /),
      ]);
      expect(await storedOf(job.id)).toEqual([]);
    }
  });

  it('get file names that headers can contain', async () => {
    const boundary = 'x';
    const { job, token } = await running();
    const body = Buffer.concat([
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''..%2F..%2Fetc%2Fa%0D%0Ab%01.zip\r\n\r\n`,
      ),
      archive,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const answer = await fetch(`${api.url}/api/v4/jobs/${job.id}/artifacts`, {
      method: 'POST',
      headers: { 'JOB-TOKEN': token, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body,
    });
    expect(answer.status).toBe(201);
    expect((await storedOf(job.id))[0]?.filename).toBe('a__b_.zip');
  });

  it('are refused without a file', async () => {
    const { job, token } = await running();
    const send400 = async (body: FormData | string): Promise<unknown> => {
      const url = `${api.url}/api/v4/jobs/${job.id}/artifacts`;
      const answer = await fetch(url, { method: 'POST', headers: { 'JOB-TOKEN': token }, body });
      return [answer.status, await answer.json()];
    };
    const metadata = new FormData();
    metadata.append('metadata', new Blob(['x']), 'metadata.gz');
    metadata.append('file', 'a text');
    const missing = [400, { message: '400 (Bad request) "file" not given' }];
    expect(await send400(metadata)).toEqual(missing);
    expect(await send400('plain')).toEqual(missing);
  });

  it('are refused from other runners, and after the job has ended', async () => {
    const { job, token } = await running();
    const other = await running();
    const refused = [
      await upload(api, job.id, 'wrong', archive),
      await upload(api, job.id, '', archive),
      await upload(api, job.id, other.token, archive),
      await upload(api, 999_999, token, archive),
      await upload(api, job.id, '', archive, {
        headers: { 'PRIVATE-TOKEN': 'glpat-root-token-of-tests-0001' },
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body])).toEqual(
      refused.map(() => [403, { message: '403 Forbidden' }]),
    );
    await api.sql(`update ci_jobs set status = 'canceled' where id = $1`, [job.id]);
    const late = await upload(api, job.id, token, archive);
    expect([late.status, late.headers.get('job-status')]).toEqual([403, 'canceled']);
    await api.sql(`update ci_jobs set status = 'running', erased_at = now() where id = $1`, [job.id]);
    expect((await upload(api, job.id, token, archive)).body).toEqual({
      message: '403 Forbidden - Job has been erased!',
    });
    const proxy = await api.anonymous.post(`/jobs/${job.id}/artifacts/authorize`);
    expect([proxy.status, proxy.body]).toEqual([403, { message: '403 Forbidden' }]);
    expect(await storedOf(job.id)).toEqual([]);
  });

  it('are limited in size, whatever the sender declares', async () => {
    await api.root.put('/application/settings', { max_artifacts_size: 1 });
    const tooLarge = Buffer.alloc(1024 * 1024 + 1, 'x');
    const told = await send(Buffer.alloc(3 * 1024 * 1024, 'x'));
    const close = await send(tooLarge);
    await api.root.put('/application/settings', { max_artifacts_size: 100 });
    for (const { job, answer } of [told, close]) {
      expect([answer.status, answer.body]).toEqual([
        413,
        { message: 'file size has reached maximum size limit' },
      ]);
      expect(await storedOf(job.id)).toEqual([]);
    }
  });

  it('are to be sent again when the storage is full', async () => {
    const { job, token } = await running();
    const storage = api.app.get(ObjectStorage);
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const put = jest.spyOn(storage, 'put').mockRejectedValueOnce(full);
    const answer = await upload(api, job.id, token, archive);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
    put.mockRestore();
    expect((await upload(api, job.id, token, archive)).status).toBe(201);
  });

  it('leave nothing behind when the sender disconnects', async () => {
    const { job, token } = await running();
    const { port } = new URL(api.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/v4/jobs/${job.id}/artifacts HTTP/1.1\r\nHost: x\r\nJOB-TOKEN: ${token}\r\nContent-Length: 1000000\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    );
    const claimed = async (): Promise<boolean> =>
      (await api.sql('select 1 from object_claims where due_at > now()')).length > 0;
    await until(claimed);
    socket.destroy();
    await until(async () => !(await claimed()));
    expect(await storedOf(job.id)).toEqual([]);
  });

  it('of one type are stored once, even with many simultaneous uploads', async () => {
    const { job, token } = await running();
    const contents = await Promise.all(
      Array.from({ length: 4 }, (_, place) => zipOf({ [`f${place}`]: 'x' })),
    );
    const answers = await Promise.all(contents.map((content) => upload(api, job.id, token, content)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(await storedOf(job.id)).toHaveLength(1);
  });
});
