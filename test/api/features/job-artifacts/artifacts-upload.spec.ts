import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { upload, zipOf, type UploadOptions } from '../../../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { until } from '../../../support/until.js';

const DAY_MS = 86_400_000;

interface Stored {
  readonly file_type: string;
  readonly file_format: string;
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly entry_count: number | null;
  readonly expire_at: Date | null;
  readonly object_key: string;
}

describe('artifacts from runners', () => {
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
  const storedOf = (jobId: number): Promise<Stored[]> =>
    api.sql<Stored>('select * from ci_job_artifacts where job_id = $1 order by id', [jobId]);
  const totalSize = async (): Promise<number> =>
    (
      await api.sql<{ size: number }>(
        'select job_artifacts_size as size from project_statistics where project_id = $1',
        [team.projectId],
      )
    )[0]?.size ?? 0;

  async function send(content: Buffer, options: UploadOptions = {}, values: Partial<Job> = {}) {
    const { job, token } = await running(values);
    return { job, token, answer: await upload(api, job.id, token, content, options) };
  }

  it('are accepted as every report that a configuration may name', async () => {
    const newer = { annotations: 'gzip', jacoco: 'gzip', repository_xray: 'gzip', requirements_v2: 'raw' };
    const reports = Object.keys(newer).map((type) => `${type}: a`);
    const content = `a: { script: x, artifacts: { reports: { ${reports.join(', ')} } } }`;
    const lint = await team.developer.post(`/projects/${team.projectId}/ci/lint`, { content });
    expect(lint.body).toMatchObject({ valid: true });
    for (const [type, format] of Object.entries(newer)) {
      const content = format === 'gzip' ? gzipSync('{}') : Buffer.from('{}');
      const query = { artifact_type: type, artifact_format: format };
      expect([type, (await send(content, { query })).answer.status]).toEqual([type, 201]);
    }
  });

  it('are stored with their digest, and counted', async () => {
    const before = await totalSize();
    const { job, answer } = await send(archive);
    expect([answer.status, answer.text]).toEqual([201, '']);
    expect(await storedOf(job.id)).toMatchObject([
      {
        file_type: 'archive',
        file_format: 'zip',
        filename: 'artifacts.zip',
        size: archive.length,
        sha256: createHash('sha256').update(archive).digest('hex'),
        entry_count: 2,
      },
    ]);
    expect(await totalSize()).toBe(before + archive.length);
    const shown = await team.developer.get(`/projects/${team.projectId}/jobs/${job.id}`);
    expect(shown.body).toMatchObject({
      artifacts_file: { filename: 'artifacts.zip', size: archive.length },
      artifacts: [
        { file_type: 'archive', size: archive.length, filename: 'artifacts.zip', file_format: 'zip' },
      ],
    });
  });

  it('may have their parameters in the form instead of the query', async () => {
    const fields = {
      artifact_type: 'junit',
      artifact_format: 'gzip',
      expire_in: '1 day',
      accessibility: 'private',
    };
    const { job, answer } = await send(gzipSync('<a/>'), { fields });
    expect([answer.status, answer.text]).toEqual([201, '']);
    const [stored] = await storedOf(job.id);
    expect(stored).toMatchObject({ file_type: 'junit', file_format: 'gzip' });
    const left = (stored?.expire_at?.getTime() ?? 0) - Date.now();
    expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
    const [row] = await api.sql('select artifacts_public from ci_jobs where id = $1', [job.id]);
    expect(row).toEqual({ artifacts_public: false });
    for (const wrong of [{ expire_in: 'soon' }, { artifact_type: 'junit' }, { accessibility: 'none' }]) {
      const refused = await send(archive, { fields: wrong });
      expect([wrong, refused.answer.status]).toEqual([wrong, 400]);
      expect(await storedOf(refused.job.id)).toEqual([]);
    }
  });

  it('may be sent again, but not replaced', async () => {
    const { job, token } = await send(archive);
    const before = await totalSize();
    expect((await upload(api, job.id, token, archive)).status).toBe(201);
    const other = await upload(api, job.id, token, await zipOf({ other: 'x' }));
    expect([other.status, other.body]).toEqual([
      400,
      { message: 'another artifact of the same type already exists' },
    ]);
    const stored = await storedOf(job.id);
    expect(stored).toHaveLength(1);
    expect(await totalSize()).toBe(before);
    // Neither of the two is left in the object storage.
    await until(async () => (await objectsOf()).length === (await keysOf()).length, 90_000);
  });

  const objectsOf = async (): Promise<string[]> => {
    // The job that runs every minute would do this.
    const { RemoveObjectsProcessor } =
      await import('#kernel/object-storage/claims/remove-objects.processor.js');
    const context = { signal: new AbortController().signal } as never;
    await api.app.get(RemoveObjectsProcessor, { strict: false }).process({}, context);
    const keys: string[] = [];
    for await (const { key } of api.app.get(ObjectStorage).list('artifacts/')) keys.push(key);
    return keys;
  };
  const keysOf = async (): Promise<string[]> =>
    (await api.sql<{ key: string }>('select object_key as key from ci_job_artifacts')).map(({ key }) => key);

  it.each([
    [{ expire_in: '7 days' }, 7 * DAY_MS],
    [{ expire_in: '3600' }, 3_600_000],
    [{ expire_in: '1h 30min' }, 5_400_000],
    [{}, 30 * DAY_MS],
    [{ expire_in: '' }, 30 * DAY_MS],
    [{ expire_in: 'never' }, null],
    [{ expire_in: '0' }, null],
  ])('expire as requested by %j', async (query, milliseconds) => {
    const { job } = await send(archive, { query });
    const [stored] = await storedOf(job.id);
    const [row] = await api.sql<{ at: Date | null }>(
      'select artifacts_expire_at as at from ci_jobs where id = $1',
      [job.id],
    );
    expect(row?.at).toEqual(stored?.expire_at);
    if (milliseconds === null) expect(stored?.expire_at).toBeNull();
    else
      expect(Math.abs((stored?.expire_at?.getTime() ?? 0) - Date.now() - milliseconds)).toBeLessThan(20_000);
  });

  it('never expire if the instance setting says so, unless they have their own expiry', async () => {
    await api.root.put('/application/settings', { default_artifacts_expire_in: '0' });
    const [byDefault, own] = [await send(archive), await send(archive, { query: { expire_in: '1 day' } })];
    await api.root.put('/application/settings', { default_artifacts_expire_in: '30 days' });
    expect((await storedOf(byDefault.job.id))[0]?.expire_at).toBeNull();
    expect((await storedOf(own.job.id))[0]?.expire_at).not.toBeNull();
  });

  it('have the requested visibility', async () => {
    for (const accessibility of ['private', 'public']) {
      const { job } = await send(archive, { query: { accessibility } });
      const [row] = await api.sql('select artifacts_public from ci_jobs where id = $1', [job.id]);
      expect(row).toEqual({ artifacts_public: accessibility === 'public' });
    }
    // A public report does not make the archive public.
    const { job, token } = await send(archive, { query: { accessibility: 'private' } });
    await upload(api, job.id, token, Buffer.from('{}'), {
      query: { artifact_type: 'sast', artifact_format: 'raw', accessibility: 'public' },
    });
    expect(await api.sql('select artifacts_public from ci_jobs where id = $1', [job.id])).toEqual([
      { artifacts_public: false },
    ]);
  });

  it.each([
    [{ artifact_type: 'archive', artifact_format: 'gzip' }, 'Invalid file format with specified file type'],
    [{ artifact_type: 'junit' }, 'Invalid file format with specified file type'],
    [{ artifact_type: 'sast', artifact_format: 'gzip' }, 'Invalid file format with specified file type'],
    [{ artifact_type: 'odd' }, { artifact_type: ['does not have a valid value'] }],
    [{ artifact_type: 'trace', artifact_format: 'raw' }, { artifact_type: ['does not have a valid value'] }],
    [{ artifact_format: 'rar' }, { artifact_format: ['does not have a valid value'] }],
    [{ accessibility: 'none' }, { accessibility: ['does not have a valid value'] }],
    [{ expire_in: 'soon' }, { expire_in: ['is invalid'] }],
  ])('are refused with %j', async (query, message) => {
    const { job, answer } = await send(archive, { query: query as unknown as Record<string, string> });
    expect([answer.status, answer.body]).toEqual([400, { message }]);
    expect(await storedOf(job.id)).toEqual([]);
  });

  it('may be reports of any type in addition to the archive', async () => {
    const { job, token } = await running();
    const report = gzipSync('<testsuites/>');
    const sent = [
      await upload(api, job.id, token, report, {
        filename: 'junit.xml.gz',
        query: { artifact_type: 'junit', artifact_format: 'gzip', expire_in: '1 day' },
      }),
      await upload(api, job.id, token, archive, { query: { expire_in: 'never' } }),
      await upload(api, job.id, token, Buffer.from('{}'), {
        query: { artifact_type: 'sast', artifact_format: 'raw' },
      }),
      // The content of an archive is not taken from the runner.
      await upload(api, job.id, token, report, {
        query: { artifact_type: 'metadata', artifact_format: 'gzip' },
      }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await storedOf(job.id)).map((stored) => stored.file_type)).toEqual(['junit', 'archive', 'sast']);
    const [row] = await api.sql('select artifacts_expire_at as at from ci_jobs where id = $1', [job.id]);
    expect(row).toEqual({ at: null });
  });

  it('pass variables to later jobs', async () => {
    const query = { artifact_type: 'dotenv', artifact_format: 'gzip' };
    const good = await send(gzipSync('VERSION=1.2.3\nURL = https://x/?a=b\n'), { query });
    expect(good.answer.status).toBe(201);
    expect(
      await api.sql('select key, value from ci_job_variables where job_id = $1 order by key', [good.job.id]),
    ).toEqual([
      { key: 'URL', value: 'https://x/?a=b' },
      { key: 'VERSION', value: '1.2.3' },
    ]);
    for (const content of [
      gzipSync('what is this'),
      Buffer.from('A=1'),
      gzipSync(Buffer.from([0x41, 0x3d, 0])),
    ]) {
      const bad = await send(content, { query });
      expect([bad.answer.status, bad.answer.body]).toEqual([400, { message: 'Invalid Format' }]);
      expect(await storedOf(bad.job.id)).toEqual([]);
    }
    const bomb = await send(gzipSync(Buffer.alloc(30_000_000)), { query });
    expect(bomb.answer.body).toEqual({ message: 'Dotenv Artifact Too Big. Maximum Allowable Size: 5120' });
  });
});
