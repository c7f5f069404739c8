import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const FOLDERS = ['tables', 'functions'] as const;
/** The last migration of what was there before the first release: its schema is this one. */
const LAST_UNRELEASED = 'NumberedThings1760000002935';

/** The texts of the files, in the order in which they have to run. */
async function texts(): Promise<string[]> {
  const root = fileURLToPath(new URL('first-schema/', import.meta.url));
  const files = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(`${root}${folder}`)).sort().map((name) => `${root}${folder}/${name}`),
    ),
  );
  return Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
}

const namesIn = (sql: string, kind: 'table' | 'function'): string[] =>
  [...sql.matchAll(new RegExp(`^create ${kind} (\\w+)`, 'gm'))].map(([, name]) => name ?? '');

/** The schema of release 1.0.0: every table with its indexes, and the functions and triggers that keep counts and links. */
export class FirstSchema1760000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    if (await this.isThere(runner)) return;
    for (const text of await texts()) await runner.query(text);
  }

  async down(runner: QueryRunner): Promise<void> {
    const sql = (await texts()).join('\n');
    await runner.query(`drop table ${namesIn(sql, 'table').join(', ')} cascade`);
    const functions = namesIn(sql, 'function');
    await runner.query(`drop function ${functions.join(', ')} cascade`);
  }

  /** Whether an unreleased version has made the schema. @throws Error when it has made only a part */
  private async isThere(runner: QueryRunner): Promise<boolean> {
    const rows = (await runner.query('select name from schema_migrations')) as { name: string }[];
    if (rows.length === 0) return false;
    if (rows.some(({ name }) => name === LAST_UNRELEASED)) {
      // No step that leads here is known any more.
      await runner.query('delete from schema_migrations where name = any($1)', [
        rows.map(({ name }) => name),
      ]);
      return true;
    }
    throw new Error(
      'The database was made by an unreleased version and is not at its last schema: start commit ebe031a0 once, then this version',
    );
  }
}
