import { createWriteStream, openAsBlob } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { ZipFile } from 'yazl';
import { digestToken } from '#kernel/crypto/tokens.js';
import { median, memoryOf } from './load.js';
import type { GitBench } from './git.js';
import type { Report } from './report.js';
import { startFileFloor, startProduct, type Server } from './servers.js';

const TOKEN = 'glpat-bench-root-token-01';
const JOB_TOKEN = 'glcbt-bench-job-token-0001';
const MIB = 1024 * 1024;
const headers = { 'private-token': TOKEN, 'content-type': 'application/json' };

interface World {
  readonly bench: GitBench;
  readonly product: Server;
  readonly client: pg.Client;
  readonly projectId: number;
}

/**
 * Artifacts: single files in large archives, downloads compared with Express, memory, and the search by ref.
 */
export async function measureArtifacts(report: Report, bench: GitBench): Promise<void> {
  const product = await startProduct({
    DATA_DIR: bench.folder,
    DATABASE_URL: bench.databaseUrl,
    SECRETS_KEY: 'a key of the benchmark that is long enough',
  });
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  try {
    await send(product, 'PUT', '/application/settings', { max_artifacts_size: 2_000 });
    const { id: projectId } = await send<{ id: number }>(product, 'POST', '/projects', { name: 'artifacts' });
    const world = { bench, product, client, projectId };
    await measureLastFile(report, world);
    await measureLargeArchive(report, world);
    await measureByRef(report, world);
  } finally {
    await Promise.all([client.end(), product.stop()]);
  }
}

async function send<T>(product: Server, method: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${product.url}/api/v4${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** A job of a successful pipeline of `ref` that has uploaded the archive; returns its id and what the upload took. */
async function upload({ product, client, projectId }: World, ref: string, path: string): Promise<{ jobId: number; ms: number }> {
  const {
    rows: [job],
  } = await client.query<{ id: number }>(
    `with p as (insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
       values ($1, (select coalesce(max(iid), 0) + 1 from ci_pipelines where project_id = $1), $2, repeat('a', 40), 'push', 'success', 1) returning id)
     insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, token_digest)
     select $1, id, 'build', 'build', 'test', 0, 'running', 1, $2, $3 from p returning id`,
    [projectId, ref, digestToken(JOB_TOKEN)],
  );
  const jobId = Number(job?.id);
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'artifacts.zip');
  const begun = performance.now();
  const answer = await fetch(`${product.url}/api/v4/jobs/${jobId}/artifacts`, { method: 'POST', headers: { 'JOB-TOKEN': JOB_TOKEN }, body: form });
  const ms = performance.now() - begun;
  if (answer.status !== 201) throw new Error(`The upload was answered with ${answer.status} ${await answer.text()}`);
  await client.query(`update ci_jobs set status = 'success', token_digest = null where id = $1`, [jobId]);
  return { jobId, ms };
}

async function writeZip(path: string, fill: (zip: ZipFile) => void): Promise<void> {
  const zip = new ZipFile();
  fill(zip);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Reads a response to its end without storing it; returns milliseconds. */
async function drain(url: string): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(url, { headers: { 'private-token': TOKEN } });
  if (!answer.ok || !answer.body) throw new Error(`${url}: ${answer.status}`);
  const reader = answer.body.getReader();
  while (!(await reader.read()).done);
  return performance.now() - begun;
}

async function times(count: number, work: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < count; round += 1) all.push(await work());
  return all;
}

async function measureLastFile(report: Report, world: World): Promise<void> {
  const path = join(world.bench.folder, 'many.zip');
  const names = Array.from({ length: 20_000 }, (_, place) => `build/output/file-${place}.txt`);
  await writeZip(path, (zip) => {
    for (const name of names) zip.addBuffer(Buffer.from(`content of ${name}\n`.repeat(20)), name);
  });
  const { jobId, ms } = await upload(world, 'many', path);
  const file = `${world.product.url}/api/v4/projects/${world.projectId}/jobs/${jobId}/artifacts/${names.at(-1) ?? ''}`;
  await times(20, () => drain(file));
  const all = (await times(100, () => drain(file))).sort((one, other) => one - other);
  report.add('artifacts', { what: 'upload and index of 20,000 entries', productMs: Math.round(ms) });
  report.add('artifacts', { what: 'last of 20,000 files, median', productMs: median(all), bar: '< 20 ms' });
  report.add('artifacts', { what: 'last of 20,000 files, worst of 100', productMs: all.at(-1) });
}

/** Measures how much the memory of a process grows during some work, in MB. */
async function growthOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = memoryOf(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return most - before;
}

async function measureLargeArchive(report: Report, world: World): Promise<void> {
  const { bench, product, projectId } = world;
  const [content, path] = [join(bench.folder, 'content'), join(bench.folder, 'large.zip')];
  const megabytes = bench.isQuick ? 128 : 1_024;
  await writeNoise(content, megabytes);
  await writeZip(path, (zip) => zip.addFile(content, 'content', { compress: false }));
  let uploaded = { jobId: 0, ms: 0 };
  const uploadGrowth = await growthOf(product.pid, async () => (uploaded = await upload(world, 'large', path)));
  const rate = Math.round((megabytes / uploaded.ms) * 1000);
  report.add('artifacts', { what: `upload of ${megabytes} MB, MB/s`, product: rate });
  report.add('artifacts', { what: 'memory during the upload, MB more', product: Math.round(uploadGrowth), bar: '< 50' });
  const floor = await startFileFloor(path);
  try {
    const own = `${product.url}/api/v4/projects/${projectId}/jobs/${uploaded.jobId}/artifacts`;
    const theirs = `${floor.url}/file`;
    await drain(theirs);
    const growth = await growthOf(product.pid, () => drain(own));
    report.add('artifacts', { what: 'memory during the download, MB more', product: Math.round(growth), bar: '< 50' });
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < (bench.isQuick ? 4 : 8); round += 1) {
      const first = await drain(round % 2 === 0 ? theirs : own);
      const second = await drain(round % 2 === 0 ? own : theirs);
      rounds.push(round % 2 === 0 ? [first, second] : [second, first]);
    }
    report.add('artifacts', {
      what: 'download of it',
      referenceMs: median(rounds.map(([reference]) => reference)),
      productMs: median(rounds.map(([, ours]) => ours)),
      ratio: median(rounds.map(([reference, ours]) => reference / ours)),
      bar: '>= 0.9 of sendFile',
    });
  } finally {
    await floor.stop();
  }
}

async function writeNoise(path: string, megabytes: number): Promise<void> {
  const file = await open(path, 'w');
  const piece = Buffer.alloc(MIB);
  for (let index = 0; index < MIB; index += 1) piece[index] = (index * 2_654_435_761) >>> 13;
  for (let count = 0; count < megabytes; count += 1) await file.write(piece);
  await file.close();
}

const FILL = `with p as (insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
    select $1, 1000000 + $2::int + n, case when n % 2 = 0 then 'main' else 'other-' || n % 100 end, repeat('b', 40), 'push',
      case when n % 4 = 0 then 'failed' else 'success' end, 1 from generate_series(1, $3::int) n returning id, ref)
  insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref)
  select $1, p.id, 'build', 'build ' || k, 'test', 0, 'success', 1, p.ref from p, generate_series(1, 10) k`;

async function measureByRef(report: Report, world: World): Promise<void> {
  const { bench, product, client, projectId } = world;
  const path = join(bench.folder, 'small.zip');
  await writeZip(path, (zip) => zip.addBuffer(Buffer.from('hello'), 'hello.txt'));
  const url = `${product.url}/api/v4/projects/${projectId}/jobs/artifacts/main/raw/hello.txt?job=build`;
  let jobs = 0;
  for (const wanted of [1_000, bench.isQuick ? 100_000 : 1_000_000]) {
    for (const batch = 10_000; jobs < wanted; jobs += Math.min(batch, wanted - jobs)) {
      await client.query(FILL, [projectId, jobs, Math.min(batch, wanted - jobs) / 10]);
    }
    await client.query('analyze ci_jobs, ci_pipelines, ci_job_artifacts');
    await upload(world, 'main', path);
    await times(30, () => drain(url));
    report.add('artifacts', { what: `file by ref among ${wanted} jobs, median`, productMs: median(await times(150, () => drain(url))), bar: 'flat' });
  }
}
