import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AnalyzeLoadedProcessor } from '#kernel/statistics/analyze-loaded.processor.js';
import { EngineWorld, labelLines } from '../../../support/bulk-imports/engine-world.js';
import { finished } from '../../../support/bulk-imports/memory-source.js';
import { until } from '../../../support/until.js';

let world: EngineWorld;
let client: pg.Client;
beforeAll(async () => {
  world = await EngineWorld.start();
  client = new pg.Client(world.api.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await world.close();
});
beforeEach(() => world.reset());

const COUNT = 2_500;

interface Statistics {
  readonly at: Date | null;
  readonly rows: number;
}

async function statistics(table: string): Promise<Statistics> {
  const text = `select s.last_analyze as at, c.reltuples::int as rows from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = $1`;
  const [row] = await world.api.sql<Statistics>(text, [table]);
  return row as Statistics;
}

const waiting = (): Promise<object[]> =>
  world.api.sql(`select from background_jobs where name = 'statistics.analyze-loaded'`);

/** Changes rows of a table, on a connection that reports its statistics immediately. */
const change = (text: string): Promise<unknown> => client.query(`select pg_stat_force_next_flush(); ${text}`);

/** Fills a table without statistics. */
async function fill(table: string): Promise<void> {
  await client.query(`create table ${table} (id int primary key)`);
  await change(`insert into ${table} select generate_series(1, 5000)`);
}

const run = (): Promise<void> => world.get(AnalyzeLoadedProcessor).process({}, world.context());

describe('a table into which many rows were loaded', () => {
  it('has statistics soon after an import', async () => {
    // The database also analyzes tables by itself; only the request of the product counts here.
    await client.query('alter table labels set (autovacuum_enabled = off)');
    const titles = Array.from({ length: COUNT }, (_, index) => `l${index}`);
    world.source.files.set('group labels', [labelLines(...titles)]);
    world.source.status = (relation) =>
      relation === 'labels' ? finished({ objectsCount: COUNT }) : undefined;
    expect(await world.ended(await world.import())).toMatchObject({ status: 'finished' });
    await until(async () => (await statistics('labels')).at !== null, 40_000);
    expect((await statistics('labels')).rows).toBeGreaterThan(COUNT * 0.9);
  });

  it('is analyzed once, and again after some time', async () => {
    await fill('shelf');
    await run();
    const first = await statistics('shelf');
    expect(first).toMatchObject({ at: expect.any(Date), rows: 5_000 });
    await change('delete from shelf');
    await run();
    expect(await statistics('shelf')).toEqual(first);
    expect(await waiting()).toHaveLength(1);
  });

  it('is skipped while it is locked, and nothing waits', async () => {
    await fill('desk');
    await client.query('begin');
    await client.query('lock table desk in share update exclusive mode');
    await run();
    expect((await statistics('desk')).at).toBeNull();
    await client.query('commit');
    await run();
    expect((await statistics('desk')).at).not.toBeNull();
  });

  it('is not analyzed if its own settings exclude it', async () => {
    await fill('drawer');
    await client.query('alter table drawer set (autovacuum_analyze_threshold = 100000)');
    await run();
    expect((await statistics('drawer')).at).toBeNull();
  });
});
