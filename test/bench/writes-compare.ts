import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { median, treeMicroseconds, wholeTreeMicroseconds, type LoadRequest } from './load.js';
import type { Report } from './report.js';
import { sendAll } from './send-all.js';
import type { Server } from './servers.js';
import { Statements, type StatementCost } from './statements.js';
import { differences, RowsWritten } from './writes-rows.js';

/** Both servers on one database. */
export interface Sides {
  readonly product: Server;
  readonly reference: Server;
  readonly client: pg.Client;
  readonly postgresPid: number;
  readonly isQuick: boolean;
}

const CALLERS = 4;
/** By one caller, and by several: statements are planned anew for their first five uses on a connection, and code is compiled once it has run often. */
const WARM_UP = { alone: 1_000, together: 200 };

/** Per round. */
const lengthOf = (isQuick: boolean): { rounds: number; alone: number; together: number } =>
  isQuick ? { rounds: 3, alone: 120, together: 60 } : { rounds: 5, alone: 150, together: 100 };

/** Number of requests of a kind in the comparison. */
export function requestsFor(isQuick: boolean): number {
  const { rounds, alone, together } = lengthOf(isQuick);
  return 2 * (1 + WARM_UP.alone + WARM_UP.together + (rounds + 1) * alone + rounds * together);
}

interface Round {
  readonly node: number;
  readonly postgres: number;
  readonly perSecond: number;
}

/**
 * One kind of write, by the product and by the reference in turns: CPU of a request of one caller, requests
 * per second of several, statements, rows.
 */
export async function compareWrites(report: Report, sides: Sides, what: string, given: readonly LoadRequest[]): Promise<void> {
  const queue = [...given];
  const take = (count: number): LoadRequest[] => queue.splice(0, count);
  const { rounds, alone, together } = lengthOf(sides.isQuick);
  const servers = [sides.product, sides.reference] as const;
  for (const server of servers) {
    await sendAll(server, take(WARM_UP.alone));
    await sendAll(server, take(WARM_UP.together), CALLERS);
  }
  const rows = await RowsWritten.of(sides.client);
  const [own, theirs] = [await rows.by(() => sendAll(sides.product, take(1))), await rows.by(() => sendAll(sides.reference, take(1)))];
  const differing = differences(own, theirs);
  for (const difference of differing) report.note(`WARNING: ${what}: product and reference do not leave the same rows. ${difference}`);
  const rowCount = [...own.values()].reduce((sum, texts) => sum + texts.length, 0);
  const costs: StatementCost[][] = [];
  for (const server of servers) {
    const statements = new Statements(sides.client);
    await statements.begin();
    await sendAll(server, take(alone));
    costs.push(await statements.end(alone));
  }
  const [product, reference]: [Round[], Round[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const ownFirst = round % 2 === 0;
    if (ownFirst) product.push(await measured(sides, sides.product, take(alone), take(together)));
    reference.push(await measured(sides, sides.reference, take(alone), take(together)));
    if (!ownFirst) product.push(await measured(sides, sides.product, take(alone), take(together)));
  }
  const of = (side: readonly Round[], value: (one: Round) => number): number => median(side.map(value));
  const ratio = (value: (own: Round, theirs: Round) => number): number => median(product.map((one, at) => value(one, reference[at] ?? one)));
  const [ownCosts = [], theirCosts = []] = costs;
  report.add('writes: against the reference', {
    what,
    ...{ cpuMs: of(product, cpu), nodeMs: of(product, ({ node }) => node), postgresMs: of(product, ({ postgres }) => postgres) },
    ...{ referenceMs: of(reference, cpu), referenceNodeMs: of(reference, ({ node }) => node), referencePostgresMs: of(reference, ({ postgres }) => postgres) },
    ...{ byCpu: ratio((one, other) => cpu(other) / cpu(one)), byThroughput: ratio((one, other) => one.perSecond / other.perSecond) },
    ...{ statements: callsOf(ownCosts), reference: callsOf(theirCosts), rows: differing.length === 0 ? `the same ${rowCount}` : 'NOT the same' },
    bar: '>= 0.80, at most 1 more',
  });
  for (const { text, ...cost } of theirCosts) report.add('writes: statements of the reference', { what, ...cost, text: text.slice(0, 100) });
}

const cpu = ({ node, postgres }: Round): number => node + postgres;

/** The statements of each request: how many share one NOTIFY depends on timing. */
const callsOf = (costs: readonly StatementCost[]): number =>
  Math.round(costs.reduce((sum, { calls, text }) => sum + (text.includes('pg_notify(') ? 0 : calls), 0));

async function measured({ postgresPid }: Sides, server: Server, alone: readonly LoadRequest[], together: readonly LoadRequest[]): Promise<Round> {
  const before = { node: wholeTreeMicroseconds(server.pid), postgres: treeMicroseconds(postgresPid) };
  await sendAll(server, alone);
  await sleep(50);
  const node = (wholeTreeMicroseconds(server.pid) - before.node) / alone.length / 1_000;
  const postgres = (treeMicroseconds(postgresPid) - before.postgres) / alone.length / 1_000;
  const begun = performance.now();
  await sendAll(server, together, CALLERS);
  return { node, postgres, perSecond: (together.length * 1_000) / (performance.now() - begun) };
}
