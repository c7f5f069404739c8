import type pg from 'pg';

/** Tables that an issue of the benchmark has rows in: how they name it, and what of them belongs to it. */
const TABLES = [
  { table: 'notes', key: 'noteable_id', where: `noteable_type = 'Issue' and noteable_id = any($1::bigint[])` },
  { table: 'issue_labels', key: 'issue_id', where: 'issue_id = any($1::bigint[])' },
  { table: 'issue_assignees', key: 'issue_id', where: 'issue_id = any($1::bigint[])' },
] as const;

const COLUMNS = `select a.attname as name from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
  and a.attgenerated = '' and a.attname <> 'id' order by a.attnum`;

type Row = Record<string, unknown>;

/** Statements of one batch. */
const BATCH = 500;

async function columnsOf(client: pg.Client, table: string): Promise<string[]> {
  return (await client.query<{ name: string }>(COLUMNS, [table])).rows.map(({ name }) => name);
}

/** One plain INSERT of many rows. */
async function insert(client: pg.Client, table: string, columns: readonly string[], rows: readonly Row[], returning = ''): Promise<Row[]> {
  if (rows.length === 0) return [];
  const values: unknown[] = [];
  const tuples = rows.map((row) => `(${columns.map((column) => `$${values.push(row[column])}`).join(',')})`);
  return (await client.query<Row>(`insert into ${table} (${columns.join(',')}) values ${tuples.join(',')} ${returning}`, values)).rows;
}

/**
 * Copies the issues of a project, with notes, labels and assignees, into another by plain batched INSERTs;
 * returns the seconds, excluding reads.
 */
export async function copyIssues(client: pg.Client, from: number, to: number): Promise<number> {
  const issueColumns = await columnsOf(client, 'issues');
  const others = await Promise.all(TABLES.map(async (one) => ({ ...one, columns: await columnsOf(client, one.table) })));
  let seconds = 0;
  for (let last = 0; ;) {
    const { rows } = await client.query<Row>(`select * from issues where project_id = $1 and id > $2 order by id limit ${BATCH}`, [from, last]);
    if (rows.length === 0) return seconds;
    last = rows.at(-1)?.['id'] as number;
    const ids = rows.map(({ id }) => id);
    const parts = [];
    for (const other of others)
      parts.push({ ...other, rows: (await client.query<Row>(`select * from ${other.table} where ${other.where} order by 1`, [ids])).rows });
    const begun = performance.now();
    await client.query('begin');
    const made = await insert(client, 'issues', issueColumns, rows.map((row) => ({ ...row, project_id: to })), 'returning id');
    const newIds = new Map(ids.map((id, index) => [id, made[index]?.['id']]));
    for (const { table, columns, key, rows: owned } of parts)
      await insert(client, table, columns, owned.map((row) => ({ ...row, [key]: newIds.get(row[key]), ...('project_id' in row ? { project_id: to } : {}) })));
    await client.query('commit');
    seconds += (performance.now() - begun) / 1000;
  }
}
