import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '#kernel/database/migrate.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { loadConfig } from '#kernel/config/load-config.js';
import { measureMemory } from './footprint.js';
import type { GitBench } from './git.js';
import { memoryOf } from './load.js';
import { copyIssues } from './migration-copy.js';
import type { Report } from './report.js';
import { startProduct, type Server } from './servers.js';

const TOKEN = 'glpat-bench-root-token-01';
const HEADERS = { 'private-token': TOKEN, 'content-type': 'application/json' };

/** Issues with a description, two notes, two labels and an assignee each. */
const SEED = [
  `insert into labels (project_id, title, color) select $1, 'label ' || n, '#112233' from generate_series(1, 20) n`,
  `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'issues', $2, $2)`,
  `insert into issues (project_id, iid, author_id, title, description, created_at, updated_at)
   select $1, n, 1, 'Issue ' || n, repeat('What is wrong with number ' || n || '. ', 12), now() - n * interval '1 minute', now() - n * interval '1 minute'
   from generate_series(1, $2::int) n`,
  `insert into notes (noteable_type, noteable_id, project_id, author_id, body, discussion_id, created_at, updated_at)
   select 'Issue', i.id, $1, 1, repeat('Note ' || n || ' on ' || i.iid || '. ', 8), md5(i.id || ' ' || n), i.created_at + n * interval '1 second', i.created_at + n * interval '1 second'
   from issues i, generate_series(1, 2) n where i.project_id = $1 order by i.id, n`,
  `insert into issue_labels (issue_id, label_id) select i.id, l.id from issues i join labels l on l.project_id = $1
     and l.title in ('label ' || (1 + i.iid % 20), 'label ' || (1 + (i.iid + 7) % 20)) where i.project_id = $1`,
  `insert into issue_assignees (issue_id, user_id) select id, 1 from issues where project_id = $1`,
];

async function call<T>(server: Server, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.url}/api/v4${path}`, { method, headers: HEADERS, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Fills a project of the source in its group. */
async function fill(client: pg.Client, source: Server, groupId: number, count: number): Promise<string> {
  const path = `p${count}`;
  const { id } = await call<{ id: number }>(source, 'POST', '/projects', { name: path, path, namespace_id: groupId });
  for (const text of SEED) await client.query(text, text.includes('$2') ? [id, count] : [id]);
  await client.query('analyze');
  return `bench/${path}`;
}

interface Seen {
  readonly seconds: number;
  /** From the first batch that was seen to the end, and the issues that came after it. */
  readonly issueSeconds: number;
  readonly issues: number;
  readonly peakMb: number;
  readonly projectId: number;
}

/**
 * Migrates a project and observes it: seconds in total and for the issues after their export, and the peak
 * memory.
 */
async function migrateProject(client: pg.Client, source: Server, destination: Server, path: string, count: number): Promise<Seen> {
  const begun = performance.now();
  const { id } = await call<{ id: number }>(destination, 'POST', '/bulk_imports', {
    configuration: { url: source.url, access_token: TOKEN },
    entities: [{ source_type: 'project_entity', source_full_path: path, destination_slug: `p${count}`, destination_namespace: 'arrived' }],
  });
  let first: number | null = null;
  let alreadyThere = 0;
  let last: number | null = null;
  let peakMb = 0;
  for (;;) {
    const { rows } = await client.query<{ status: string; relation: string | null; fetched: number; project_id: number }>(
      `select i.status, r.status as relation, r.fetched_count as fetched, e.project_id from bulk_imports i join bulk_import_entities e on e.bulk_import_id = i.id
       left join bulk_import_relations r on r.entity_id = e.id and r.relation = 'issues' where i.id = $1`,
      [id],
    );
    const now = performance.now();
    const [row] = rows;
    if (first === null && row && row.fetched > 0) {
      first = now;
      alreadyThere = row.fetched;
    }
    if (last === null && row?.relation === 'finished') last = now;
    peakMb = Math.max(peakMb, memoryOf(destination.pid));
    if (row?.status === 'failed') throw new Error('The migration has failed');
    if (row?.status === 'finished')
      return { seconds: (now - begun) / 1000, issueSeconds: ((last ?? now) - (first ?? begun)) / 1000, issues: count - alreadyThere, peakMb, projectId: row.project_id };
    await sleep(10);
  }
}

/**
 * Migrates issues from one service to another, and compares it with copying the same rows by plain batched
 * INSERTs; with the memory for few and many.
 */
export async function measureMigrations(report: Report, { databaseUrl, folder, postgresPid, isQuick }: GitBench): Promise<void> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('create database migration_source');
  const sourceUrl = databaseUrl.replace(/\/[^/?]+(\?|$)/, '/migration_source$1');
  const sourceFolder = `${folder}/source`;
  mkdirSync(sourceFolder, { recursive: true });
  await migrate(sourceUrl);
  await createFirstData(loadConfig({ DATA_DIR: sourceFolder, INITIAL_ROOT_TOKEN: TOKEN }), sourceUrl);
  const sourceClient = new pg.Client({ connectionString: sourceUrl });
  await sourceClient.connect();
  const common = { SECRETS_KEY: 'a key of the benchmark that is long enough', ALLOW_LOCAL_REQUESTS: 'true' };
  const source = await startProduct({ ...common, DATA_DIR: sourceFolder, DATABASE_URL: sourceUrl });
  const destination = await startProduct({ ...common, DATA_DIR: folder, DATABASE_URL: databaseUrl });
  try {
    const { id: groupId } = await call<{ id: number }>(source, 'POST', '/groups', { name: 'bench', path: 'bench' });
    const { id: arrivedId } = await call<{ id: number }>(destination, 'POST', '/groups', { name: 'arrived', path: 'arrived' });
    for (const count of isQuick ? [1_000, 20_000] : [1_000, 20_000, 100_000]) {
      const path = await fill(sourceClient, source, groupId, count);
      const seen = await migrateProject(admin, source, destination, path, count);
      const { id: copyId } = await call<{ id: number }>(destination, 'POST', '/projects', { name: `copy ${count}`, path: `copy-${count}`, namespace_id: arrivedId });
      const copySeconds = await copyIssues(admin, seen.projectId, copyId);
      const imported = await admin.query<{ issues: number }>('select count(*)::int as issues from issues where project_id = $1', [seen.projectId]);
      report.add('migrations: issues with two notes, two labels and an assignee', {
        issues: count,
        isComplete: imported.rows[0]?.issues === count ? 'yes' : 'no',
        perSecond: Math.round(seen.issues / seen.issueSeconds),
        copiedPerSecond: Math.round(count / copySeconds),
        ratio: seen.issues / seen.issueSeconds / (count / copySeconds),
        bar: count === 1_000 ? '' : '>= 0.5',
        wholeSeconds: seen.seconds,
        peakRssMb: Math.round(seen.peakMb),
      });
    }
    report.add('memory', await measureMemory('after migrations', destination, postgresPid));
  } finally {
    await Promise.all([source.stop(), destination.stop(), sourceClient.end(), admin.end()]);
  }
}
