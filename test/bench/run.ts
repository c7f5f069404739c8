// npm run bench [-- --quick
// --only=oauth,deployments,start,idle,queue,git,ci,artifacts,planning,errors,alerts,migrations,streams,writes,peers,cores,sizes,expiry]:
// measures the product and its references in one run, prints a table and writes bench/results.json. Every
// figure is a ratio, a count or CPU time, because the machine is shared and noisy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { migrate } from '#kernel/database/migrate.js';
import { startEmbeddedPostgres } from '#kernel/database/embedded/start-embedded-postgres.js';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { measureAlerts } from './alerts.js';
import { measureArtifacts } from './artifacts.js';
import { measureCi } from './ci.js';
import { measureCores } from './cores.js';
import { createWorld } from './dataset.js';
import { guardedList, measureDeployments } from './deployments.js';
import { measureErrors } from './errors.js';
import { measureMigrations } from './migrations.js';
import { measureOauth } from './oauth.js';
import { measureGit, type GitBench } from './git.js';
import { measureIdle, measureMemory, measureStart } from './footprint.js';
import { measurePeers } from './peers/peers.js';
import { measurePlanning } from './planning.js';
import { measureQueue } from './queue.js';
import { Report } from './report.js';
import { startRedis } from './redis.js';
import { measureExpiry } from './sizes/expiry.js';
import { measureSizes } from './sizes/sizes.js';
import { measureStreams } from './streams.js';
import { startFloor, startProduct, temporaryFolder } from './servers.js';
import { COUNTING } from './statements.js';
import { measureWrites } from './writes.js';
import type { Effort } from './compare.js';

const isQuick = process.argv.includes('--quick');
const effort: Effort = isQuick ? { warmUpSeconds: 2, rounds: 3, seconds: 2 } : { warmUpSeconds: 5, rounds: 5, seconds: 4 };

/** `--only=oauth` and the like: the parts to measure; all unless said. */
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length).split(',');
const isWanted = (part: string): boolean => only?.includes(part) ?? true;

const report = new Report();
const folder = temporaryFolder();
const database = await startEmbeddedPostgres({ dataDir: folder.path, settings: { max_connections: '200' } });
const queueDatabase = temporaryFolder();
const gitFolder = temporaryFolder();
const ciFolder = temporaryFolder();
const artifactsFolder = temporaryFolder();
const planningFolder = temporaryFolder();
const errorsFolder = temporaryFolder();
const alertsFolder = temporaryFolder();
const migrationsFolder = temporaryFolder();
const streamsFolder = temporaryFolder();
const writesFolder = temporaryFolder();
const peersFolder = temporaryFolder();
const sizesFolder = temporaryFolder();
const expiryFolder = temporaryFolder();
try {
  const postgresPid = readPidFile(`${folder.path}/postgres`)?.pid ?? 0;
  await migrate(database.url);
  await createFirstData(loadConfig({ DATA_DIR: folder.path, INITIAL_ROOT_TOKEN: 'glpat-bench-root-token-01' }), database.url);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const world = await createWorld(client);

  const product = await startProduct({ DATA_DIR: folder.path, DATABASE_URL: database.url, LOG_LEVEL: 'info' });
  const floor = await startFloor(database.url);
  try {
    report.add('memory', await measureMemory('idle', product, postgresPid));
    const bench = { effort, client, world, product, floor, postgresPid, isQuick };
    if (isWanted('oauth')) await measureOauth(report, bench);
    if (isWanted('deployments')) await measureDeployments(report, bench);
    // Only the product uses PostgreSQL now: the connections of the reference would count as its memory.
    await Promise.all([floor.stop(), client.end()]);
    report.add('memory', await measureMemory('after load', product, postgresPid));
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
  }
  if (isWanted('cores')) await measureCores(report, { effort, databaseUrl: database.url, folder: folder.path, postgresPid, next: guardedList(world) });
  if (isWanted('start')) report.add('start', await measureStart());
  if (isWanted('idle')) await measureRest();
  if (isWanted('queue')) await measureQueues();
  if (isWanted('git')) await onOwnDatabase(gitFolder.path, measureGit);
  if (isWanted('ci')) await onOwnDatabase(ciFolder.path, measureCi);
  if (isWanted('artifacts')) await onOwnDatabase(artifactsFolder.path, measureArtifacts);
  if (isWanted('planning')) await onOwnDatabase(planningFolder.path, measurePlanning);
  if (isWanted('errors')) await onOwnDatabase(errorsFolder.path, measureErrors);
  if (isWanted('alerts')) await onOwnDatabase(alertsFolder.path, measureAlerts);
  if (isWanted('migrations')) await onOwnDatabase(migrationsFolder.path, measureMigrations);
  if (isWanted('streams')) await onOwnDatabase(streamsFolder.path, measureStreams);
  if (isWanted('writes')) await onOwnDatabase(writesFolder.path, measureWrites, COUNTING);
  if (isWanted('peers')) await onOwnDatabase(peersFolder.path, measurePeers);
  if (isWanted('sizes')) await onOwnDatabase(sizesFolder.path, measureSizes);
  // Ten million rows take ten minutes: by name alone.
  if (only?.includes('expiry') === true) await onOwnDatabase(expiryFolder.path, measureExpiry);
} finally {
  await database.stop();
  folder.remove();
  queueDatabase.remove();
  gitFolder.remove();
  ciFolder.remove();
  artifactsFolder.remove();
  planningFolder.remove();
  errorsFolder.remove();
  alertsFolder.remove();
  migrationsFolder.remove();
  streamsFolder.remove();
  writesFolder.remove();
  peersFolder.remove();
  sizesFolder.remove();
  expiryFolder.remove();
}

mkdirSync('bench', { recursive: true });
writeFileSync('bench/results.json', `${JSON.stringify({ commit: commit(), ...report.json() }, null, 2)}\n`);
process.stdout.write(report.text());

function commit(): string {
  return spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
}

/** Both drivers, while idle. */
async function measureRest(): Promise<void> {
  report.add('idle', await measureIdle());
  const redis = await startRedis();
  if (!redis) return;
  try {
    report.add('idle', await measureIdle(redis.url));
  } finally {
    await redis.stop();
  }
}

/** Both drivers, on a database of their own. */
async function measureQueues(): Promise<void> {
  const own = await startEmbeddedPostgres({ dataDir: queueDatabase.path });
  const redis = await startRedis();
  try {
    await migrate(own.url);
    report.add('queue', { ...(await measureQueue(own.url)) });
    if (redis) report.add('queue', { ...(await measureQueue(own.url, redis.url)) });
    else report.note('No redis-server here: the Bull driver was not measured.');
  } finally {
    await redis?.stop();
    await own.stop();
  }
}

/** Owners of repositories, on their own database. */
async function onOwnDatabase(path: string, measureIt: (report: Report, bench: GitBench) => Promise<void>, settings = {}): Promise<void> {
  const own = await startEmbeddedPostgres({ dataDir: path, settings });
  try {
    await migrate(own.url);
    await createFirstData(loadConfig({ DATA_DIR: path, INITIAL_ROOT_TOKEN: 'glpat-bench-root-token-01' }), own.url);
    const postgresPid = readPidFile(`${path}/postgres`)?.pid ?? 0;
    await measureIt(report, { effort, databaseUrl: own.url, folder: path, postgresPid, isQuick });
  } finally {
    await own.stop();
  }
}
