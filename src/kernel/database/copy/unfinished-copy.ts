import type pg from 'pg';
import { StartProblem } from '#kernel/config/start-problem.js';
import type { Ask } from '../schema/releases.js';

/** Table of the steps that a copy into the database has done; it is there until the copy is complete. */
export const COPY_TABLE = 'unfinished_copy';

/** Step of the row that says what the copy is. */
export const BEGUN = 'begun';

const IS_THERE = `select to_regclass('${COPY_TABLE}') is not null as "isThere"`;
const WORDS = `select note->>'what' as what, note->>'command' as command from ${COPY_TABLE} where step = '${BEGUN}'`;

/** Returns why the database is not to be used yet: what is copied into it is not complete. Null if it may be. */
export async function unfinishedCopy(ask: Ask): Promise<string | null> {
  const [table] = await ask<{ isThere: boolean }>(IS_THERE);
  if (table?.isThere !== true) return null;
  const [begun] = await ask<{ what: string; command: string }>(WORDS);
  return `${begun?.what ?? 'A copy'} into this database is not complete. Run "${begun?.command ?? ''}": it continues where it stopped.`;
}

/** The same over a connection. */
export const unfinishedCopyOn = (client: pg.Client): Promise<string | null> =>
  unfinishedCopy(async <Row extends object>(text: string) => (await client.query<Row>(text)).rows);

/** @throws StartProblem if what is copied into the database is not complete */
export async function refuseUnfinishedCopy(ask: Ask): Promise<void> {
  const problem = await unfinishedCopy(ask);
  if (problem !== null) throw new StartProblem(problem);
}
