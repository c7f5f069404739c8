import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '#kernel/database/migrate.js';
import { readPidFile } from '#kernel/database/embedded/leftovers.js';
import { startEmbeddedPostgres } from '#kernel/database/embedded/start-embedded-postgres.js';
import { compare, measure, measureGrowth, type Effort, type Sized } from './compare.js';
import type { Dataset } from './dataset.js';
import type { GitBench } from './git.js';
import { addCrowds, addEpics, addEvents, addPlanning, copying, createPlanningWorld } from './planning-data.js';
import { COUNTED, getting, pick, questions, type Next } from './planning-questions.js';
import type { Report } from './report.js';
import { startFloor, startProduct, temporaryFolder, type Server } from './servers.js';

const ratio = (fast = 0, slow = 1): number => Math.round((fast / slow) * 100) / 100;

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return client;
}

/** Ends the embedded PostgreSQL, which its supervisor starts again under the same URL; its new process id. */
async function restartPostgres(folder: string, product: Server): Promise<number> {
  const before = readPidFile(`${folder}/postgres`)?.pid ?? 0;
  process.kill(before, 'SIGINT');
  for (let attempt = 0; attempt < 600; attempt += 1) {
    await sleep(100);
    const file = readPidFile(`${folder}/postgres`);
    if (!file?.ready || file.pid === before) continue;
    const answer = await fetch(`${product.url}/-/readiness`).catch(() => null);
    if (answer?.ok) return file.pid;
  }
  throw new Error('PostgreSQL did not come back');
}

const SECRETS_KEY = 'a key of the benchmark that is long enough';

/** 10,000 issues, merge requests and events. */
async function fillSmall(client: pg.Client): Promise<Dataset> {
  const world = await createPlanningWorld(client);
  const all = [...world.projects, world.bigProject];
  await addPlanning(client, all, 25);
  await addEvents(client, all, 25);
  await addEpics(client);
  await client.query('vacuum analyze');
  return world;
}

/** A service with that much data, on its own database. */
async function startSmall(): Promise<Sized & { stop: () => Promise<void> }> {
  const folder = temporaryFolder();
  const own = await startEmbeddedPostgres({ dataDir: folder.path });
  await migrate(own.url);
  const client = await connect(own.url);
  await fillSmall(client);
  await client.end();
  const server = await startProduct({ DATA_DIR: folder.path, DATABASE_URL: own.url, SECRETS_KEY, LOG_LEVEL: 'info' });
  const postgresPid = readPidFile(`${folder.path}/postgres`)?.pid ?? 0;
  const stop = async (): Promise<void> => {
    await server.stop();
    await own.stop();
    folder.remove();
  };
  return { server, postgresPid, stop };
}

/**
 * Lists of issues, merge requests and events with 10,000 rows and with 1,000,000 and 10,000,000; a comment
 * among 5 and among 5,000 users.
 */
export async function measurePlanning(report: Report, { effort, databaseUrl, folder, isQuick }: GitBench): Promise<void> {
  let client = await connect(databaseUrl);
  const world = await fillSmall(client);
  const all = [...world.projects, world.bigProject];
  await copying(client, ['issues', 'issue_labels', 'issue_assignees', 'merge_requests', 'merge_request_labels', 'merge_request_assignees'], () =>
    addPlanning(client, all, isQuick ? 250 : 2_500),
  );
  await copying(client, ['events'], () => addEvents(client, all, isQuick ? 2_500 : 25_000));
  await client.query('vacuum analyze');
  await client.end();
  const product = await startProduct({ DATA_DIR: folder, DATABASE_URL: databaseUrl, SECRETS_KEY, LOG_LEVEL: 'info' });
  let floor: Server | undefined;
  try {
    // PostgreSQL is restarted after the growth, because it then uses more memory for more data.
    const postgresPid = await restartPostgres(folder, product);
    client = await connect(databaseUrl);
    const short = { ...effort, seconds: Math.min(effort.seconds, 2), rounds: 3, warmUpSeconds: 0.5 };
    await addGrowth(report, short, questions(world), { server: product, postgresPid });
    floor = await startFloor(databaseUrl);
    const epicIssues = getting(world, () => `/groups/${1000 + Math.floor(Math.random() * 20)}/epics/1/issues?per_page=20`);
    const ofEpics = await compare('20 epic issues, with total', effort, { server: floor, next: epicIssues }, { server: product, next: epicIssues }, postgresPid);
    report.add('planning: against the reference', { ...ofEpics, statements: product.statements.at(-1), bar: '>= 0.90' });
    for (const kind of ['events', 'issues', 'merge_requests']) {
      const next = getting(world, () => `/projects/${pick(world.projects)}/${kind}?per_page=20&pagination=keyset&order_by=${kind === 'events' ? 'created_at' : 'id'}&sort=desc`);
      const reference = getting(world, () => `/projects/${pick(world.projects)}/${kind}?per_page=20`);
      const result = await compare(`20 ${kind}, totals not due`, effort, { server: floor, next: reference }, { server: product, next }, postgresPid);
      report.add('planning: against the reference', { ...result, statements: product.statements.at(-1), bar: '>= 0.90' });
    }
    const counted = getting(world, () => `/projects/${pick(world.projects)}/events?per_page=20&total=1`);
    const ofEvents = await compare('20 events, with total', effort, { server: floor, next: counted }, { server: product, next: counted }, postgresPid);
    report.add('planning: against the reference', { ...ofEvents, statements: product.statements.at(-1), bar: '>= 0.90' });
    const crowds = await addCrowds(client, world.projects[0] ?? 0);
    const comment = (iid: number): Next => () => ({
      method: 'POST',
      path: `/api/v4/projects/${crowds.projectId}/issues/${iid}/notes`,
      headers: { 'private-token': pick(world.tokens), 'content-type': 'application/json' },
      body: JSON.stringify({ body: 'One more word' }),
    });
    const [many, few] = await measure(short, product, [comment(crowds.many), comment(crowds.few)]);
    report.add('planning: comments', { what: 'among 5,000 people and among 5', many, few, slower: ratio(few, many) });
  } finally {
    await Promise.all([product.stop(), floor?.stop(), client.end()]);
  }
}

/** The cost of the lists with all rows and with 10,000, in alternating rounds. */
async function addGrowth(report: Report, effort: Effort, asked: ReadonlyMap<string, Next>, large: Sized): Promise<void> {
  const small = await startSmall();
  try {
    const found = await measureGrowth(effort, [...asked.values()], small, large);
    for (const [at, what] of [...asked.keys()].entries()) {
      const { small: microsecondsAt10k, large: atAll, dearer } = found[at] ?? { small: 0, large: 0, dearer: 0 };
      const bar = COUNTED.has(what) ? 'counts its rows' : '<= 1.30';
      report.add('planning: growth', { what, microsecondsAt10k, atAll, dearer: Math.round(dearer * 100) / 100, bar });
    }
  } finally {
    await small.stop();
  }
}
