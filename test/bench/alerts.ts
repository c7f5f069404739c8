import autocannon from 'autocannon';
import pg from 'pg';
import { measureMemory } from './footprint.js';
import type { GitBench } from './git.js';
import { cpuMicroseconds, median, memoryOf, treeMicroseconds } from './load.js';
import type { Report } from './report.js';
import { startProduct, type Server } from './servers.js';

const ROOT = { 'private-token': 'glpat-bench-root-token-01', 'content-type': 'application/json' };
/** Alerts that all payloads belong to. */
const FINGERPRINTS = 50;
const PROJECTS = 20;
const CONNECTIONS = 16;
/** autocannon ends with one of its samples: by default they take a second, which would count as up to a second more. */
const SAMPLE_MS = 10;
const BODY = 1_000;

/** Where to send, and with which key. */
export interface Target {
  readonly projectId: number;
  readonly path: string;
  readonly key: string;
}

/** A project with an integration. */
export async function createTarget(product: Server, name: string): Promise<Target> {
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${product.url}/api/v4${path}`, { method: 'POST', headers: ROOT, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const { id } = await call<{ id: number }>('/projects', { name });
  const made = await call<{ url: string; token: string }>(`/projects/${id}/alert_management/integrations`, { name });
  return { projectId: id, path: new URL(made.url).pathname, key: made.token };
}

/** A payload as a tool sends it; `fingerprint` makes it the same as others. */
export const payload = (fingerprint: string): string =>
  JSON.stringify({ title: `Alert ${fingerprint}`, fingerprint, severity: 'high', service: 'shop', monitoring_tool: 'bench', hosts: ['web-1', 'web-2'], start_time: new Date().toISOString(), description: 'More requests fail than may', details: { requests: 1_000, failed: 77, links: ['http://dashboard.test/1', 'http://dashboard.test/2'] } });

/** A group of Alertmanager with that many alerts. */
function group(prefix: string): string {
  const alerts = Array.from({ length: BODY }, (_, index) => ({
    status: 'firing',
    labels: { alertname: `Alert${index}`, instance: `web-${index}:9100`, job: 'node', severity: 'warning' },
    annotations: { summary: `Instance web-${index} fails`, description: 'More requests fail than may', runbook: 'http://runbook.test/requests' },
    startsAt: '2026-03-04T05:06:07.891Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.test/graph?g0.expr=rate%28failed%5B5m%5D%29+%3E+0.01&g0.tab=1',
    fingerprint: `${prefix}${index}`,
  }));
  const labels = { alertname: 'Alert' };
  return JSON.stringify({ receiver: 'bench', status: 'firing', alerts, groupLabels: labels, commonLabels: labels, commonAnnotations: {}, externalURL: 'http://alertmanager.test', version: '4', groupKey: '{}:{}', truncatedAlerts: 0 });
}

interface Sent {
  readonly perSecond: number;
  readonly p99: number;
  readonly failures: number;
  readonly nodeUs: number;
  readonly postgresUs: number;
}

/** Sends that many single alerts over 16 connections as fast as they are taken. */
async function send(product: Server, postgresPid: number, targets: readonly Target[], amount: number, fingerprintOf: (index: number) => string): Promise<Sent> {
  const before = { node: cpuMicroseconds([product.pid]), postgres: treeMicroseconds(postgresPid) };
  let sent = 0;
  const next = (): { path: string; headers: Record<string, string>; body: string } => {
    const { path, key } = targets[sent % targets.length] as Target;
    sent += 1;
    return { path, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: payload(fingerprintOf(sent)) };
  };
  const begun = performance.now();
  const result = await autocannon({ url: product.url, amount, connections: CONNECTIONS, sampleInt: SAMPLE_MS, requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, ...next() }) }] });
  const each = (begin: number, end: number): number => Math.round((end - begin) / amount);
  return {
    perSecond: Math.round(amount / ((performance.now() - begun) / 1000)),
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    nodeUs: each(before.node, cpuMicroseconds([product.pid])),
    postgresUs: each(before.postgres, treeMicroseconds(postgresPid)),
  };
}

/** Milliseconds of bodies of a thousand alerts, each made anew. */
async function sendBodies(product: Server, target: Target, times: number, prefixOf: (time: number) => string): Promise<number> {
  const took: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const body = group(prefixOf(time));
    const begun = performance.now();
    const answer = await fetch(product.url + target.path, { method: 'POST', headers: { authorization: `Bearer ${target.key}` }, body });
    const taken = (await answer.json()) as unknown[];
    if (taken.length !== BODY) throw new Error(`${answer.status}: ${taken.length} of ${BODY} alerts`);
    took.push(performance.now() - begun);
  }
  return Math.round(median(took));
}

const COUNTS = `select count(*)::int as alerts, sum(events_count)::int as events, min(events_count) as least, max(events_count) as most
  from alerts where project_id = $1`;

/** Single alerts, bodies of a thousand, ten thousand over fifty fingerprints with exact counts, and what stays in memory. */
export async function measureAlerts(report: Report, { databaseUrl, folder, postgresPid, isQuick }: GitBench): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const product = await startProduct({ DATA_DIR: folder, DATABASE_URL: databaseUrl, SECRETS_KEY: 'a key of the benchmark that is long enough', LOG_LEVEL: 'info' });
  const total = isQuick ? 4_000 : 20_000;
  try {
    const targets = [];
    for (let index = 0; index < PROJECTS; index += 1) targets.push(await createTarget(product, `alerts-${index}`));
    const one = await createTarget(product, 'alerts-one');
    const counted = await createTarget(product, 'alerts-counted');
    await send(product, postgresPid, targets, 2_000, (index) => `warm-up ${index}`);

    const exact = await send(product, postgresPid, [counted], 10_000, (index) => `f${index % FINGERPRINTS}`);
    const [counts] = (await client.query<{ alerts: number; events: number; least: number; most: number }>(COUNTS, [counted.projectId])).rows;
    const each = 10_000 / FINGERPRINTS;
    const isExact = counts?.alerts === FINGERPRINTS && counts.events === 10_000 && counts.least === each && counts.most === each;
    report.add('alerts: one a request', { what: '10,000 over 50 fingerprints', ...exact, isExact: isExact ? 'yes' : JSON.stringify(counts), bar: '>= 1500' });
    const kinds = [
      ['new, one project', [one], 'new'],
      ['new, 20 projects', targets, 'more'],
    ] as const;
    for (const [what, where, prefix] of kinds)
      report.add('alerts: one a request', { what, ...(await send(product, postgresPid, where, total, (index) => `${prefix}${index}`)), bar: '>= 1500' });

    const before = memoryOf(product.pid);
    const times = isQuick ? 5 : 20;
    const fresh = await sendBodies(product, one, times, (time) => `body ${time} `);
    report.add('alerts: 1,000 a body', { what: 'new', ms: fresh, statements: product.statements.at(-1), bar: '< 1000' });
    report.add('alerts: 1,000 a body', { what: 'again', ms: await sendBodies(product, one, times, () => 'body 0 '), bar: '< 1000' });
    report.add('memory', { when: 'growth by bodies of 1,000', nodeRssMb: Math.round(memoryOf(product.pid) - before) });
    report.add('memory', await measureMemory('after alerts', product, postgresPid));
  } finally {
    await Promise.all([product.stop(), client.end()]);
  }
}
