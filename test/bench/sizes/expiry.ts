import pg from 'pg';
import { createPlanningWorld, copying } from '../planning-data.js';
import { load, type LoadRequest, type Round } from '../load.js';
import type { Report } from '../report.js';
import { startProduct } from '../servers.js';

/** Rows of events, and how many of a hundred are past their three years; BENCH_EVENTS says another number. */
const MANY = 10_000_000;
const EXPIRED_PERCENT = 5;
const PROJECTS = 50_000;
const AUTHORS = 100_000;

const ROUND_SECONDS = 5;
const ROUNDS_AROUND = 3;

/** Answers what lists of events take before, while and after the job that removes old ones runs, and how fast it removes them. */
export async function measureExpiry(report: Report, { databaseUrl, folder, isQuick }: { databaseUrl: string; folder: string; isQuick: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const total = Number(process.env['BENCH_EVENTS'] ?? (isQuick ? MANY / 10 : MANY));
  try {
    const { tokens } = await fill(client, total);
    const product = await startProduct({ DATA_DIR: folder, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' });
    try {
      let turn = 0;
      const next = (): LoadRequest => {
        turn += 1;
        const path = turn % 2 === 0 ? `/api/v4/projects/${5000 + ((turn * 7919) % 400)}/events` : `/api/v4/users/${100 + ((turn * 31) % 200)}/events`;
        return { path, headers: { 'private-token': tokens[turn % tokens.length] ?? '' } };
      };
      const round = (): Promise<Round> => load(product.url, ROUND_SECONDS, next);
      const count = async (): Promise<number> =>
        Number((await client.query<{ n: string }>(`select count(*) as n from events where created_at < now() - interval '3 years 1 day'`)).rows[0]?.n);
      const old = await count();
      await round();
      tell(report, 'before', total, await several(round));
      const begun = performance.now();
      await client.query(`insert into background_jobs (queue, name, payload) values ('maintenance', 'events.prune', '{}')`);
      const during: Round[] = [];
      const isThere = async (): Promise<boolean> => ((await client.query(`select from background_jobs where name = 'events.prune'`)).rowCount ?? 0) > 0;
      let removedWithin = 0;
      const watch = (async (): Promise<void> => {
        while (await isThere()) await new Promise((resolve) => setTimeout(resolve, 200));
        removedWithin = (performance.now() - begun) / 1000;
      })();
      while (removedWithin === 0) during.push(await round());
      await watch;
      tell(report, `while ${String(old)} expire`, total, during);
      tell(report, 'after', total, await several(round));
      const left = await count();
      report.add('expiry', { when: 'the job', 'seconds': removedWithin, 'removed a second': (old - left) / removedWithin, left });
      const { rows } = await client.query<{ size: string; dead: string }>(
        `select pg_total_relation_size('events') as size, (select n_dead_tup from pg_stat_user_tables where relname = 'events') as dead`,
      );
      report.note(`events: ${(Number(rows[0]?.size) / 1e9).toFixed(1)} GB, ${rows[0]?.dead ?? '?'} dead rows afterwards.`);
    } finally {
      await product.stop();
    }
  } finally {
    await client.end();
  }
}

/** People and projects as many as a large instance has, and events of four years of which some are past theirs. */
async function fill(client: pg.Client, total: number): Promise<{ tokens: readonly string[] }> {
  const { tokens } = await createPlanningWorld(client);
  await client.query('set statement_timeout = 0');
  await client.query(
    `insert into users (id, username, name, email, confirmed_at)
     select i, 'author' || i, 'Author ' || i, 'author' || i || '@example.com', now() from generate_series(100000, 99999 + $1::int) i`,
    [AUTHORS],
  );
  await client.query(
    `insert into projects (id, namespace_id, creator_id, name, path, full_path, full_name)
     select i, 1000 + i % 20, 100, 'more ' || i, 'more-' || i, 'group-' || (1000 + i % 20) || '/more-' || i, 'more ' || i from generate_series(6000, 5999 + $1::int) i`,
    [PROJECTS],
  );
  await copying(client, ['events'], async () => {
    await client.query(
      `insert into events (project_id, author_id, kind, target_id, target_iid, subject_id, payload, created_at)
       select case when i % 10 = 0 then 5000 + (i::bigint * 7919) % 400 else 6000 + (i::bigint * 104729) % $2::int end, case when i % 500 = 0 then 100 + i / 500 % 200 else 100000 + (i::bigint * 31) % $3::int end,
         (array[21, 33, 35])[1 + i % 3], case when i % 3 <> 0 then i end, case when i % 3 <> 0 then i % 1000 end, case when i % 3 <> 0 then i end,
         case when i % 3 = 0 then '{"commit_count":1,"action":"pushed","ref_type":"branch","commit_from":null,"commit_to":null,"ref":"main","commit_title":"Words","ref_count":null}'::jsonb end,
         now() - interval '3 years 1 day' + (i - $1::int * $4::float8 / 100) * (interval '3 years' / ($1::int * (1 - $4::float8 / 100)))
       from generate_series(1, $1::int) i`,
      [total, PROJECTS, AUTHORS, EXPIRED_PERCENT],
    );
  });
  await client.query('vacuum analyze');
  return { tokens };
}

async function several(round: () => Promise<Round>): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let index = 0; index < ROUNDS_AROUND; index += 1) rounds.push(await round());
  return rounds;
}

function tell(report: Report, when: string, events: number, rounds: readonly Round[]): void {
  const sum = (of: (round: Round) => number): number => rounds.reduce((before, round) => before + of(round), 0);
  report.add('expiry', {
    when,
    events,
    'requests a second': sum(({ perSecond }) => perSecond) / rounds.length,
    'p99, worst round, ms': Math.max(...rounds.map(({ p99 }) => p99)),
    failures: sum(({ failures }) => failures),
  });
}
