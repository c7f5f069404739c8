import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import pg from 'pg';
import { measureMemory } from './footprint.js';
import type { GitBench } from './git.js';
import { load, median, treeMicroseconds, wholeTreeMicroseconds, type LoadRequest } from './load.js';
import type { Report } from './report.js';
import { sendAll } from './send-all.js';
import { startProduct, startWritesFloor } from './servers.js';
import { Statements } from './statements.js';
import { compareWrites, requestsFor, type Sides } from './writes-compare.js';
import { newDeployment, writesOf, type Write } from './writes-requests.js';
import { ask, createWritesWorld, type WritesWorld } from './writes-world.js';

/** A plan is made anew for the first five uses on a connection, and code is compiled once it has run often. */
const WARM_UP = 100;
const CALLERS = 4;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The most used writes, one after the other: CPU of a request with all processes that it starts, its statements, and what planning and running each of them costs. */
export async function measureWrites(report: Report, bench: GitBench): Promise<void> {
  const { databaseUrl, folder, isQuick } = bench;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // Without background work: what is counted is the request.
  const product = await startProduct({ DATA_DIR: folder, DATABASE_URL: databaseUrl, PROCESS: 'api', SECRETS_KEY: 'a key of the benchmark that is long enough', LOG_LEVEL: 'info' });
  const reference = await startWritesFloor(databaseUrl, join(folder, 'repositories/default'));
  const sides = { product, reference, client, postgresPid: bench.postgresPid, isQuick };
  try {
    const world = await createWritesWorld(product, client, folder);
    const limits = { issues_create_limit: 0, notes_create_limit: 0, throttle_protected_paths_enabled: false };
    await ask(product, 'PUT', '/api/v4/application/settings', limits);
    const writes = writesOf(world);
    // The first requests of a process cost several times as much, whatever they ask for.
    for (const write of writes.slice(0, 3)) await sendAll(product, await write.make(3 * WARM_UP));
    for (const write of writes) await measureOne(report, bench, world, write, sides);
    await measureCallers(report, world, isQuick ? 4 : 10);
    // Its memory in PostgreSQL would count as the product's.
    await reference.stop();
    report.add('memory', await measureMemory('after writes', product, bench.postgresPid));
  } finally {
    await Promise.all([product.stop(), reference.stop(), client.end()]);
  }
}

async function measureOne(report: Report, { postgresPid, isQuick }: GitBench, { product, client }: WritesWorld, write: Write, sides: Sides): Promise<void> {
  const count = isQuick ? 100 : 300;
  const statements = new Statements(client);
  const all = await write.make(WARM_UP + count + (write.isCompared ? requestsFor(isQuick) : 0));
  const requests = all.splice(0, WARM_UP + count);
  await sendAll(product, requests.slice(0, WARM_UP));
  await statements.begin();
  const before = { node: wholeTreeMicroseconds(product.pid), postgres: treeMicroseconds(postgresPid) };
  await sendAll(product, requests.slice(WARM_UP));
  const nodeMs = (wholeTreeMicroseconds(product.pid) - before.node) / count / 1000;
  const postgresMs = (treeMicroseconds(postgresPid) - before.postgres) / count / 1000;
  const costs = await statements.end(count);
  await sleep(100);
  const worstPlanMs = Math.max(...costs.map((one) => one.planMs));
  const planMs = sum(costs.map((one) => one.calls * one.planMs));
  report.add('writes', { what: write.what, cpuMs: nodeMs + postgresMs, nodeMs, postgresMs, statements: product.statements.at(-1), planMs, worstPlanMs, bar: write.bar });
  for (const { text, ...cost } of costs) report.add('writes: statements', { what: write.what, ...cost, text: text.slice(0, 100) });
  if (!write.isCompared) return;
  await compareWrites(report, sides, write.what, all).catch((error: unknown) => report.note(`WARNING: ${write.what} was not compared: ${String(error)}`));
}

/** Deployments to different environments of one project, by one caller and by several at once. */
async function measureCallers(report: Report, world: WritesWorld, seconds: number): Promise<void> {
  const path = `/api/v4/projects/${world.projectId}/deployments`;
  let sent = 0;
  const next = (): LoadRequest => world.post(path, { ...newDeployment('success'), environment: `review/${(sent += 1) % CALLERS}` });
  const rounds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const one = await load(world.product.url, seconds, next, 1);
    const several = await load(world.product.url, seconds, next, CALLERS);
    if (one.failures + several.failures > 0) throw new Error('A deployment was refused');
    report.add('writes: callers', { what: 'deployments to four environments', one: one.perSecond, four: several.perSecond, ratio: several.perSecond / one.perSecond });
    rounds.push(several.perSecond / one.perSecond);
  }
  report.add('writes: callers', { what: 'median of the rounds', ratio: median(rounds), bar: '>= 2' });
}
