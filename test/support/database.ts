import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { migrate } from '#kernel/database/migrate.js';

/** A database of one test file. */
export interface TestDatabase {
  url: string;
  /** Drops it; open connections are closed. */
  drop(): Promise<void>;
}

/** An arbitrary lock number, which serializes workers that need the template at the same time. */
const TEMPLATE_LOCK = 512_093_771;

/** A migrated, empty database, cloned from a template that the first caller of the run creates. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = await ensureTemplate();
  const name = `forgeplane_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return {
    url: urlOf(name),
    drop: () =>
      admin((client) => client.query(`drop database if exists ${name} with (force)`)).then(() => undefined),
  };
}

/** A database without any table: for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `forgeplane_empty_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin((client) => client.query(`create database ${name} template template0`));
  return {
    url: urlOf(name),
    drop: () =>
      admin((client) => client.query(`drop database if exists ${name} with (force)`)).then(() => undefined),
  };
}

let made: Promise<string> | undefined;

function ensureTemplate(): Promise<string> {
  return (made ??= admin(async (client) => {
    const name = `forgeplane_template_${migrationsDigest()}`;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const ready = await client.query(
      `select 1 from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = 'ready'`,
      [name],
    );
    if (ready.rowCount === 0) {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name} template template0`);
      await migrate(urlOf(name));
      await client.query(`comment on database ${name} is 'ready'`);
    }
    return name;
  }));
}

/** Names the state of the migrations, so that a server used for more than one run never serves an old template. */
function migrationsDigest(): string {
  const folder = resolve('migrations');
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(ts|sql)$/.test(name),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}

async function admin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL is not set: test/support/global-setup.mjs sets it');
  return url;
}

/**
 * The same server with another database. The URL of a Unix socket has no host, which `new URL` does not
 * accept.
 */
function urlOf(database: string): string {
  return serverUrl().replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`);
}
