import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import pg from 'pg';
import { measureMemory } from './footprint.js';
import type { GitBench } from './git.js';
import { cpuMicroseconds, memoryOf, treeMicroseconds } from './load.js';
import type { Report } from './report.js';
import { startProduct, type Server } from './servers.js';

const ROOT = { 'private-token': 'glpat-bench-root-token-01', 'content-type': 'application/json' };
/** Errors that the events belong to, users whom they concern. */
const ERRORS = 50;
const USERS = 1_000;
const CONNECTIONS = 16;
/** autocannon ends with one of its samples: by default they take a second, which would count as up to a second more. */
const SAMPLE_MS = 10;

/** Events of about this many bytes with a stack trace, as an SDK for Node sends them; only the ids differ. */
function templates(bytes: number): readonly string[] {
  return Array.from({ length: ERRORS }, (_, error) => {
    const event = { platform: 'node', level: 'error', environment: 'production', release: `shop@${error}`, exception: { values: [{ type: `Error${error}`, value: 'cannot read properties of undefined', stacktrace: { frames: [] as object[] } }] } };
    const { frames } = event.exception.values[0]?.stacktrace ?? { frames: [] };
    for (let line = 1; JSON.stringify(event).length < bytes - 100; line += 1)
      frames.push({ filename: `/srv/shop/src/part-${line % 9}.js`, function: `step${line}`, lineno: line, in_app: true, pre_context: ['  const cart = await carts.find(id);', '  if (!cart) return null;'], context_line: `  return total(cart.items, ${line});`, post_context: ['}', ''] });
    return JSON.stringify(event).slice(1);
  });
}

interface Project {
  readonly id: number;
  readonly path: string;
}

interface Made {
  readonly id: number;
  readonly public_key: string;
}

/** A project that accepts errors, and the URL of its intake. */
async function createProject(product: Server, name: string): Promise<Project> {
  const call = async (method: string, path: string, body?: object): Promise<Made> => {
    const answer = await fetch(`${product.url}/api/v4${path}`, { method, headers: ROOT, ...(body ? { body: JSON.stringify(body) } : {}) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Made;
  };
  const { id } = await call('POST', '/projects', { name });
  await call('PUT', `/projects/${id}/error_tracking/settings`, { active: true, integrated: true });
  const { public_key: key } = await call('POST', `/projects/${id}/error_tracking/client_keys`);
  return { id, path: `/api/v4/error_tracking/collector/api/${id}/envelope/?sentry_key=${key}` };
}

/** Sends that many events as fast as possible; returns the number of refused ones. */
async function send(product: Server, path: string, bytes: number, amount: number): Promise<number> {
  const events = templates(bytes);
  let sent = 0;
  const next = (): string => {
    sent += 1;
    const id = randomBytes(16).toString('hex');
    return `{"event_id":"${id}"}\n{"type":"event"}\n{"event_id":"${id}","timestamp":${Date.now() / 1000},"user":{"id":${sent % USERS}},${events[sent % ERRORS]}\n`;
  };
  const result = await autocannon({
    url: product.url,
    amount,
    connections: CONNECTIONS,
    sampleInt: SAMPLE_MS,
    requests: [{ method: 'POST', path, setupRequest: (request) => ({ ...request, body: next() }) }],
  });
  return result.non2xx + result.errors + result.timeouts;
}

/** The resulting errors of a project. */
const COUNTS = `select count(*)::int as errors, coalesce(sum(events_count), 0)::int as events, coalesce(sum(users_count), 0)::int as users
  from error_tracking_errors where project_id = $1`;

/** Events of 5 KB and 50 KB through HTTP until the last of them has been grouped, with exact counts, and what stays in memory. */
export async function measureErrors(report: Report, { databaseUrl, folder, postgresPid, isQuick }: GitBench): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const product = await startProduct({ DATA_DIR: folder, DATABASE_URL: databaseUrl, SECRETS_KEY: 'a key of the benchmark that is long enough', LOG_LEVEL: 'info' });
  try {
    const warmUp = await createProject(product, 'warm-up');
    await send(product, warmUp.path, 5_000, 2_000);
    for (const { what, bytes, amount, bar } of [
      { what: '5 KB', bytes: 5_000, amount: 30_000, bar: '>= 1000' },
      { what: '50 KB', bytes: 50_000, amount: 6_000, bar: '>= 200' },
    ]) {
      const project = await createProject(product, `errors-${bytes}`);
      const total = isQuick ? amount / 5 : amount;
      const cpu = (): { node: number; postgres: number } => ({
        node: cpuMicroseconds([product.pid]),
        postgres: cpuMicroseconds([postgresPid]) + treeMicroseconds(postgresPid),
      });
      const before = cpu();
      const begun = performance.now();
      const failures = await send(product, project.path, bytes, total);
      const sentAfter = performance.now() - begun;
      while ((await client.query('select 1 from error_tracking_events where error_id is null limit 1')).rowCount !== 0) await sleep(5);
      const seconds = (performance.now() - begun) / 1000;
      const [counts] = (await client.query<{ errors: number; events: number; users: number }>(COUNTS, [project.id])).rows;
      const after = cpu();
      const nodeUs = Math.round((after.node - before.node) / total);
      const postgresUs = Math.round((after.postgres - before.postgres) / total);
      report.add('errors: intake and grouping', {
        what,
        perSecond: Math.round(total / seconds),
        bar,
        drainedMs: Math.round(seconds * 1000 - sentAfter),
        failures,
        isExact: counts?.errors === ERRORS && counts.events === total && counts.users === Math.min(USERS, total) ? 'yes' : JSON.stringify(counts),
        perCpuSecond: Math.round(1_000_000 / Math.max(1, nodeUs + postgresUs)),
        nodeUs,
        postgresUs,
        rssMb: Math.round(memoryOf(product.pid)),
      });
    }
    report.add('memory', await measureMemory('after errors', product, postgresPid));
  } finally {
    await Promise.all([product.stop(), client.end()]);
  }
}
