import { createWriteStream, openAsBlob } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { ZipFile } from 'yazl';
import { digestToken } from '#kernel/crypto/tokens.js';
import { projectRepository, relativePath } from '#core/repositories/repository-ref.js';
import type { GitBench } from './git.js';
import { cloneAgain, cloneAnew, makeRepository, runGit } from './git-world.js';
import { wholeTreeMicroseconds } from './load.js';
import { startNginx, type Nginx } from './nginx.js';
import type { Report } from './report.js';
import { startProduct, type Server } from './servers.js';
import { inTurns } from './sides.js';

const TOKEN = 'glpat-bench-root-token-01';
const JOB_TOKEN = 'glcbt-bench-job-token-0001';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { 'private-token': TOKEN, 'content-type': 'application/json' };

interface World {
  readonly bench: GitBench;
  readonly product: Server;
  readonly nginx: Nginx | null;
}

/**
 * The cost of sending files and packs to a client, compared with nginx: CPU milliseconds per request, of all
 * processes with their children and database.
 */
export async function measureStreams(report: Report, bench: GitBench): Promise<void> {
  const storage = join(bench.folder, 'storage');
  const product = await startProduct({
    DATA_DIR: bench.folder,
    DATABASE_URL: bench.databaseUrl,
    REPOSITORY_STORAGES: `default=${storage}`,
    SECRETS_KEY: 'a key of the benchmark that is long enough',
  });
  const nginx = await startNginx(bench.folder, bench.folder, storage);
  if (!nginx) report.note('streams: without nginx and fcgiwrap (packages nginx-light, fcgiwrap) there is nothing to compare with');
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  try {
    const world = { bench, product, nginx };
    await measureArchives(report, world, client);
    await measureClone(report, world);
  } finally {
    await Promise.all([client.end(), product.stop(), nginx?.stop()]);
  }
}

async function send<T>(product: Server, method: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${product.url}/api/v4${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function measureArchives(report: Report, world: World, client: pg.Client): Promise<void> {
  const { bench, product, nginx } = world;
  await send(product, 'PUT', '/application/settings', { max_artifacts_size: 2_000 });
  const { id: projectId } = await send<{ id: number }>(product, 'POST', '/projects', { name: 'archives' });
  const sizes: readonly (readonly [string, number, number])[] = [
    ['archive of 10 KB', 10_000, 300],
    ['archive of 100 MB', 100_000_000, 4],
  ];
  for (const [what, size, times] of sizes) {
    const name = `archive-${size}.zip`;
    const path = join(bench.folder, name);
    await writeStoredZip(path, size);
    const jobId = await upload(product, client, projectId, path);
    const own = `${product.url}/api/v4/projects/${projectId}/jobs/${jobId}/artifacts`;
    await measure(report, world, what, times, {
      own: () => drain(own),
      theirs: nginx && (() => drain(`${nginx.url}/files/${name}`)),
    });
  }
}

/** A zip with one entry of noise that is not compressed. */
async function writeStoredZip(path: string, size: number): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(randomBytes(size), 'noise', { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

async function upload(product: Server, client: pg.Client, projectId: number, path: string): Promise<number> {
  const {
    rows: [job],
  } = await client.query<{ id: number }>(
    `with p as (insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
       values ($1, (select coalesce(max(iid), 0) + 1 from ci_pipelines where project_id = $1), 'main', repeat('a', 40), 'push', 'success', 1) returning id)
     insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, token_digest)
     select $1, id, 'build', 'build', 'test', 0, 'running', 1, 'main', $2 from p returning id`,
    [projectId, digestToken(JOB_TOKEN)],
  );
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'artifacts.zip');
  const url = `${product.url}/api/v4/jobs/${job?.id}/artifacts`;
  const answer = await fetch(url, { method: 'POST', headers: { 'JOB-TOKEN': JOB_TOKEN }, body: form });
  if (answer.status !== 201) throw new Error(`The upload was answered with ${answer.status} ${await answer.text()}`);
  await client.query(`update ci_jobs set status = 'success', token_digest = null where id = $1`, [job?.id]);
  return Number(job?.id);
}

async function measureClone(report: Report, world: World): Promise<void> {
  const { bench, product, nginx } = world;
  const source = join(bench.folder, 'large.git');
  makeRepository(source, 2_000);
  const project = await send<{ id: number; path_with_namespace: string }>(product, 'POST', '/projects', { name: 'clones' });
  const own = `${product.url.replace('//', `//root:${TOKEN}@`)}/${project.path_with_namespace}.git`;
  runGit(['--git-dir', source, 'push', '--quiet', own, 'main']);
  const target = join(bench.folder, 'cloned');
  const theirs = nginx && `${nginx.url}/git/${relativePath(projectRepository(project.id))}`;
  for (const [what, clone] of [
    ['clone of 2,000 commits', cloneAnew],
    ['the same clone again within 30 s', cloneAgain],
  ] as const)
    await measure(report, world, what, 1, {
      own: inOneTurn(() => clone(own, target)),
      theirs: theirs === null ? null : inOneTurn(() => clone(theirs, target)),
    });
}

/** Work that is done when it returns, as work that is waited for. */
const inOneTurn = (work: () => void) => (): Promise<void> => {
  work();
  return Promise.resolve();
};

/** Reads a response to its end without storing it. */
function drain(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { 'private-token': TOKEN } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`));
      answer.on('end', resolve).on('error', reject).resume();
    });
    request.on('error', reject);
  });
}

interface Sides {
  readonly own: () => Promise<unknown>;
  readonly theirs: (() => Promise<unknown>) | null;
}

/** Measures both sides in turns. */
async function measure(report: Report, { bench, product, nginx }: World, what: string, times: number, { own, theirs }: Sides): Promise<void> {
  const ours = (): number => wholeTreeMicroseconds(product.pid) + wholeTreeMicroseconds(bench.postgresPid);
  const others = (): number => (nginx?.pids ?? []).reduce((sum, pid) => sum + wholeTreeMicroseconds(pid), nginx?.gitMicroseconds() ?? 0);
  const repeat = (work: () => Promise<unknown>) => async (count: number): Promise<void> => {
    for (let time = 0; time < count; time += 1) await work();
  };
  const { own: cost, theirs: reference } = await inTurns(
    { cpu: ours, work: repeat(own) },
    theirs && { cpu: others, work: repeat(theirs) },
    { rounds: bench.isQuick ? 3 : 7, times },
  );
  report.add('streams', {
    what,
    nginxCpuMs: reference?.cpu,
    productCpuMs: cost.cpu,
    nginxWallMs: reference?.wall,
    productWallMs: cost.wall,
  });
}
