import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DATABASE } from '#kernel/database/embedded/cluster.js';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import { childrenOf, wholeTreeMicroseconds, median, memoryOf } from './load.js';
import type { Figures } from './report.js';
import { startProduct, temporaryFolder, type Server } from './servers.js';

/** Resident memory of the process and the share of PostgreSQL, in MB. */
export async function measureMemory(when: string, product: Server, postgresPid: number): Promise<Figures> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const postgres = [postgresPid, ...childrenOf(postgresPid)].reduce((sum, pid) => sum + memoryOf(pid, 'Pss'), 0);
  return { when, nodeRssMb: Math.round(memoryOf(product.pid)), postgresPssMb: Math.round(postgres) };
}

/**
 * Start of everything in one process, including the embedded database, until the first response: the first
 * time and later.
 */
export async function measureStart(): Promise<Figures> {
  const folder = temporaryFolder();
  const starts: number[] = [];
  try {
    for (let round = 0; round < 6; round += 1) {
      const product = await startProduct({ DATA_DIR: folder.path, LOG_LEVEL: 'warn' });
      starts.push(product.readyAfterMs);
      await product.stop();
    }
  } finally {
    folder.remove();
  }
  return { firstMs: Math.round(starts[0] ?? 0), laterMs: Math.round(median(starts.slice(1))), bar: '<= 2500 later' };
}

/** By then the work of the start is finished, and the heap has shrunk. */
const SETTLE_MS = 120_000;
const IDLE_MS = 60_000;

/** Everything in one idle process with its embedded database: share of a core, and transactions. */
export async function measureIdle(redisUrl?: string): Promise<Figures> {
  const folder = temporaryFolder();
  const product = await startProduct({ DATA_DIR: folder.path, LOG_LEVEL: 'info', ...(redisUrl !== undefined && { REDIS_URL: redisUrl }) });
  try {
    await sleep(SETTLE_MS);
    const before = { cpu: wholeTreeMicroseconds(product.pid), transactions: await transactionsOf(folder.path), at: performance.now() };
    await sleep(IDLE_MS);
    const seconds = (performance.now() - before.at) / 1000;
    const percent = (wholeTreeMicroseconds(product.pid) - before.cpu) / seconds / 10_000;
    const transactions = ((await transactionsOf(folder.path)) - before.transactions) / (seconds / 20);
    const driver = redisUrl === undefined ? 'embedded' : 'bull';
    return { driver, percentOfACore: percent, transactionsIn20s: transactions, bar: '<= 0.3, <= 4' };
  } finally {
    await product.stop();
    folder.remove();
  }
}

/** Asked from another database, whose transactions do not count. */
async function transactionsOf(dataDir: string): Promise<number> {
  const client = new pg.Client({
    host: readPidFile(`${dataDir}/postgres`)?.socketFolder ?? '',
    user: DATABASE,
    database: 'postgres',
  });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = $1',
      [DATABASE],
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
