import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Job } from '#core/ci/jobs/job.entity.js';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { zipOf } from '../support/builders/artifacts.js';
import { buildPipeline, buildRunningJob } from '../support/builders/ci.js';
import { buildProjectTeam, type ProjectTeam } from '../support/builders/project-team.js';
import { borrowApi } from '../support/shared-api.js';

const run = promisify(execFile);

describe('an archive of artifacts, by curl', () => {
  let api: TestApi;
  let team: ProjectTeam;
  let folder: string;
  let job: Job;
  let archive: Buffer;

  const curl = async (...args: string[]): Promise<string> =>
    (await run('curl', ['-sS', '--max-time', '30', ...args])).stdout;
  const url = (suffix = ''): string =>
    `${api.url}/api/v4/projects/${team.projectId}/jobs/${job.id}/artifacts${suffix}`;

  beforeAll(async () => {
    api = await borrowApi();
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forgeplane-curl-'));
    team = await buildProjectTeam(api, 'public');
    const running = await buildRunningJob(api, await buildPipeline(api, team.projectId));
    job = running.job;
    archive = await zipOf({ 'noise.bin': randomBytes(3_000_000), 'index.html': '<p>hello</p>' });
    const path = join(folder, 'made.zip');
    await writeFile(path, archive);
    const form = ['-F', `file=@${path};filename=artifacts.zip`, '-H', `JOB-TOKEN: ${running.token}`];
    const status = await curl(
      '-w',
      '%{http_code}',
      ...form,
      `${api.url}/api/v4/jobs/${job.id}/artifacts?expire_in=1+week`,
    );
    expect(status).toBe('201');
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is downloaded, saved under the given name, and resumed', async () => {
    await curl('-OJ', '--output-dir', folder, url());
    const path = join(folder, 'artifacts.zip');
    expect((await readFile(path)).equals(archive)).toBe(true);
    await truncate(path, 1_234_567);
    const sizes = await curl('-C', '-', '-o', path, '-w', '%{http_code} %{size_download}', url());
    expect(sizes).toBe(`206 ${archive.length - 1_234_567}`);
    expect((await readFile(path)).equals(archive)).toBe(true);
  });

  it('can be unpacked, and has the right digest', async () => {
    const parts = await Promise.all(
      ['0-999999', '1000000-1999999', '2000000-'].map(async (range, place) => {
        const path = join(folder, `part-${place}`);
        await curl('-r', range, '-o', path, url());
        return readFile(path);
      }),
    );
    const whole = Buffer.concat(parts);
    expect(whole.equals(archive)).toBe(true);
    const head = await curl('-I', url());
    const digest = createHash('sha256').update(whole).digest('base64');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(head).toContain(`Repr-Digest: sha-256=:${digest}:`);
  });

  it('serves single files, and sends none again that the client has', async () => {
    const [path, tag] = [join(folder, 'index.html'), join(folder, 'tag')];
    expect(await curl(url('/index.html'))).toBe('<p>hello</p>');
    const first = await curl('--etag-save', tag, '-o', path, '-w', '%{http_code}', url());
    const again = await curl('--etag-compare', tag, '-o', path, '-w', '%{http_code} %{size_download}', url());
    expect([first, again]).toEqual(['200', '304 0']);
  });

  it('works in gitbeaker too: by job and by ref, kept, and removed', async () => {
    const { JobArtifacts } = new Gitlab({ host: api.url, token: ROOT_TOKEN });
    const { projectId } = team;
    const whole = await JobArtifacts.downloadArchive(projectId, { jobId: job.id });
    expect(Buffer.from(await whole.arrayBuffer()).equals(archive)).toBe(true);
    const one = await JobArtifacts.downloadArchive(projectId, { jobId: job.id, artifactPath: 'index.html' });
    // The client treats `text/html` as text.
    expect(one).toBe('<p>hello</p>');
    await api.sql(`update ci_jobs set status = 'success', finished_at = now() where id = $1`, [job.id]);
    await api.sql(`update ci_pipelines set status = 'success' where id = $1`, [job.pipelineId]);
    const ref = { ref: 'main', job: job.name };
    const named = await JobArtifacts.downloadArchive(projectId, { ...ref, artifactPath: 'index.html' });
    expect(named).toBe('<p>hello</p>');
    const latest = await JobArtifacts.downloadArchive(projectId, ref);
    expect(latest.size).toBe(archive.length);
    expect(await JobArtifacts.keep(projectId, job.id)).toMatchObject({
      id: job.id,
      artifacts_expire_at: null,
    });
    await JobArtifacts.remove(projectId, { jobId: job.id });
    await expect(JobArtifacts.downloadArchive(projectId, { jobId: job.id })).rejects.toThrow(/Not Found/);
  });
});
