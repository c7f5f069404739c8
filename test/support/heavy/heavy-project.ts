import { gzipSync } from 'node:zlib';
import { buildProject } from '../builders/project.js';
import { WorkingCopy } from '../git.js';
import { gitUrl } from '../git-http.js';
import type { Member } from '../installation.js';
import { ROOT_TOKEN } from '../processes.js';
import type { RunnerJob } from '../runner/job.js';
import { RunnerService } from '../runner/service.js';
import { until } from '../until.js';
import { hugeArchive } from './huge-archive.js';

const JOBS = 6;
const CI = `j: { parallel: ${JOBS}, script: [x] }\n`;

/** A project with a repository and jobs that are as expensive to read as the limits allow. */
export interface HeavyProject {
  readonly id: number;
  readonly pipelineId: number;
  /** Commits of `main`: the first, then before and after every one of 2,000 files has changed. */
  readonly first: string;
  readonly before: string;
  readonly after: string;
  /** Sends a new archive of 200,000 files. */
  readonly sendArchive: () => Promise<unknown>;
  remove(): void;
}

const times = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join('');

/** Together 10 MB of JUnit and 10,000 tests, the limit of one pipeline. */
const REPORTS = [
  times(
    9_990,
    (at) =>
      `<testcase name="test ${at}" classname="a.b.C" time="0.1"><failure message="&lt;no&gt;">expected ${'x'.repeat(400)}</failure></testcase>`,
  ),
  `<testcase name="tags"><failure>${'<a b="&lt;">y&gt;'.repeat(270_000)}</failure></testcase>`,
];

/** Builds the project on a running service. */
export async function buildHeavyProject(product: Member): Promise<HeavyProject> {
  const project = await buildProject(product.client, { path: 'heavy', name: 'heavy' });
  const work = await new WorkingCopy().init();
  const wide = (mark: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [
        `many/f${at}.txt`,
        times(60, (line) => `${mark} ${line} ${'y'.repeat(40)}\n`),
      ]),
    );
  await work.commit(
    {
      '.gitlab-ci.yml': CI,
      'long.txt': times(50_000, (at) => `${at} ${'z'.repeat(180)}\n`),
      ...wide('before'),
    },
    'Before',
  );
  const first = await work.git('rev-parse', 'HEAD');
  for (let at = 0; at < 150; at += 1)
    await work.run(
      ['commit', '--quiet', '--allow-empty', '-F', '-'],
      {},
      `c ${at}\n\n${'m'.repeat(100_000)}`,
    );
  const before = await work.git('rev-parse', 'HEAD');
  await work.commit({ ...wide('after') }, 'After');
  const after = await work.git('rev-parse', 'HEAD');
  await work.git('push', '--quiet', gitUrl(product, '/root/heavy.git', ['root', ROOT_TOKEN]), 'main:main');
  const { body } = await product.client.get<{ runners_token: string }>(`/projects/${project.id}`);
  const runner = await RunnerService.register(product.url, body.runners_token);
  const jobs: RunnerJob[] = [];
  await until(async () => {
    const job = await runner.next();
    if (job) jobs.push(job);
    return jobs.length === JOBS;
  }, 60_000);
  for (const report of REPORTS) {
    const job = jobs.pop() as RunnerJob;
    const sent = await send(product, job, gzipSync(report), 'junit', 'gzip', 'junit.xml.gz');
    if (sent.status !== 201) throw new Error(`No report: ${sent.status} ${await sent.text()}`);
  }
  const archive = hugeArchive();
  const pipelines = await product.client.get<{ id: number }[]>(`/projects/${project.id}/pipelines`);
  return {
    id: project.id,
    pipelineId: (pipelines.body[0] as { id: number }).id,
    first,
    before,
    after,
    sendArchive: () => send(product, jobs.pop() as RunnerJob, archive, 'archive', 'zip', 'artifacts.zip'),
    remove: () => work.remove(),
  };
}

function send(
  { url }: Member,
  { id, token }: RunnerJob,
  content: Buffer,
  type: string,
  format: string,
  name: string,
): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const query = new URLSearchParams({ artifact_type: type, artifact_format: format }).toString();
  return fetch(`${url}/api/v4/jobs/${id}/artifacts?${query}`, {
    method: 'POST',
    headers: { 'JOB-TOKEN': token },
    body: form,
  });
}
