import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { projectRepository, relativePath } from '#core/repositories/repository-ref.js';
import { compare, type Effort } from './compare.js';
import { addSmallProjects, cloneAnew, makeRepository, runGit } from './git-world.js';
import { median } from './load.js';
import { startRedis } from './redis.js';
import type { Report } from './report.js';
import { startGitFloor, startProduct, type Server } from './servers.js';

const TOKEN = 'glpat-bench-root-token-01';
const COMMITS = 3_000;
const SMALL_REPOSITORIES = 1_000;

/** The environment of the git measurements. */
export interface GitBench {
  readonly effort: Effort;
  readonly databaseUrl: string;
  readonly folder: string;
  readonly postgresPid: number;
  readonly isQuick: boolean;
}

const timed = (work: () => void): number => {
  const begun = performance.now();
  work();
  return performance.now() - begun;
};

const headers = { 'private-token': TOKEN, 'content-type': 'application/json' };

async function api<T>(product: Server, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${product.url}/api/v4${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Clones, advertisements and moves compared with plain git. */
export async function measureGit(report: Report, bench: GitBench): Promise<void> {
  const { folder, databaseUrl, isQuick } = bench;
  const storages = { default: join(folder, 'storage-a'), second: join(folder, 'storage-b') };
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    REPOSITORY_STORAGES: `default=${storages.default},second=${storages.second}`,
    SECRETS_KEY: 'a key of the benchmark that is long enough',
  };
  const product = await startProduct(env);
  const floor = await startGitFloor(storages.default);
  try {
    const source = join(folder, 'large.git');
    makeRepository(source, isQuick ? COMMITS / 6 : COMMITS);
    const project = await api<{ id: number; path_with_namespace: string }>(product, 'POST', '/projects', { name: 'large' });
    const own = `${product.url.replace('//', `//root:${TOKEN}@`)}/${project.path_with_namespace}.git`;
    const pushMs = timed(() => runGit(['--git-dir', source, 'push', '--quiet', own, 'main']));
    report.add('git', { what: 'push of all of it', productMs: Math.round(pushMs) });
    await measureClones(report, bench, own, `${floor.url}/${relativePath(projectRepository(project.id))}`);
    await measureAdvertisements(report, bench, product, floor, project);
    await measureMove(report, bench, product, project.id, storages);
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
  }
  await measureManyMoves(report, bench, env, storages.default);
}

async function measureClones(report: Report, { folder, isQuick }: GitBench, own: string, reference: string): Promise<void> {
  const target = join(folder, 'clone');
  const clone = (url: string): number => timed(() => cloneAnew(url, target));
  clone(own);
  clone(reference);
  // In turns, also of who comes first: the second of two clones is the slower one here.
  const pairs = Array.from({ length: isQuick ? 4 : 12 }, (_, index): readonly [number, number] => {
    if (index % 2 === 0) return [clone(reference), clone(own)];
    const ownMs = clone(own);
    return [clone(reference), ownMs];
  });
  report.add('git', {
    what: 'clone',
    referenceMs: median(pairs.map(([ms]) => ms)),
    productMs: median(pairs.map(([, ms]) => ms)),
    ratio: median(pairs.map(([theirs, ours]) => theirs / ours)),
    bar: '>= 0.95 of git http-backend',
  });
  await sleep(100);
}

async function measureAdvertisements(
  report: Report,
  { effort, postgresPid }: GitBench,
  product: Server,
  floor: Server,
  project: { id: number; path_with_namespace: string },
): Promise<void> {
  const query = '/info/refs?service=git-upload-pack';
  const authorization = `Basic ${Buffer.from(`root:${TOKEN}`).toString('base64')}`;
  const ours = { path: `/${project.path_with_namespace}.git${query}`, headers: { authorization, 'git-protocol': 'version=2' } };
  const theirs = { path: `/${relativePath(projectRepository(project.id))}${query}`, headers: { 'git-protocol': 'version=2' } };
  const result = await compare('info/refs', effort, { server: floor, next: () => theirs }, { server: product, next: () => ours }, postgresPid);
  report.add('git requests', { ...result });
}

async function measureMove(
  report: Report,
  { folder, isQuick }: GitBench,
  product: Server,
  projectId: number,
  storages: Readonly<Record<string, string>>,
): Promise<void> {
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < (isQuick ? 2 : 6); round += 1) {
    const from = round % 2 === 0 ? 'default' : 'second';
    const path = join(storages[from] ?? '', relativePath(projectRepository(projectId)));
    const copy = join(folder, 'mirror');
    const mirror = timed(() => runGit(['clone', '--quiet', '--mirror', '--no-local', path, copy]));
    rmSync(copy, { recursive: true });
    const begun = performance.now();
    const moves = `/projects/${projectId}/repository_storage_moves`;
    const { id } = await api<{ id: number }>(product, 'POST', moves, { destination_storage_name: from === 'default' ? 'second' : 'default' });
    let state = '';
    while (state !== 'finished') {
      await sleep(5);
      ({ state } = await api<{ state: string }>(product, 'GET', `${moves}/${id}`));
      if (state === 'failed' || state === 'cleanup failed') throw new Error(`The move ended as ${state}`);
    }
    rounds.push([mirror, performance.now() - begun]);
  }
  report.add('git', {
    what: 'move of it, scheduling to finished, against git clone --mirror',
    referenceMs: median(rounds.map(([ms]) => ms)),
    productMs: median(rounds.map(([, ms]) => ms)),
    ratio: median(rounds.map(([theirs, ours]) => theirs / ours)),
  });
}

/** Small repositories moved by two workers next to an API process. */
async function measureManyMoves(report: Report, bench: GitBench, env: Record<string, string>, storage: string): Promise<void> {
  const redis = await startRedis();
  if (!redis) {
    report.note('No redis-server here: moves by two workers were not measured.');
    return;
  }
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  await client.connect();
  const shared = { ...env, REDIS_URL: redis.url };
  const servers = await Promise.all(['api', 'worker', 'worker'].map((role) => startProduct({ ...shared, PROCESS: role })));
  try {
    const count = bench.isQuick ? SMALL_REPOSITORIES / 10 : SMALL_REPOSITORIES;
    await addSmallProjects(client, storage, bench.folder, count);
    const body = { source_storage_name: 'default', destination_storage_name: 'second' };
    const begun = performance.now();
    await api(servers[0] as Server, 'POST', '/project_repository_storage_moves', body);
    const left = `select count(*)::int as left from projects where path like 'small%' and (repository_storage = 'default' or repository_read_only)`;
    let waiting = count;
    while (waiting > 0) {
      await sleep(50);
      waiting = (await client.query<{ left: number }>(left)).rows[0]?.left ?? 0;
    }
    const seconds = (performance.now() - begun) / 1000;
    report.add('git', { what: `${count} small repositories moved by two workers`, seconds, perSecond: count / seconds });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await client.end();
    await redis.stop();
  }
}
