import pg from 'pg';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { errorCode } from '#kernel/database/transactions.js';
import { isTransient } from '#kernel/database/transient.js';
import { utcUrl } from '#kernel/database/utc-url.js';

const TIMEOUT_MS = 5_000;
/** 15.0, as `server_version_num` says it. */
const OLDEST = 150_000;

const LOOK = `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby"`;

/** What to do about errors that do not pass by themselves, by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  '3D000': 'create that database, or correct its name',
  '28P01': 'correct user and password',
  '28000': 'correct the user, or allow it in pg_hba.conf',
  '42501': 'grant this user connect and create on the database and its schema, or name its owner',
};

class Standby extends Error {}

/** Asks PostgreSQL whether it can be used. @throws StartProblem for what does not pass by itself */
export async function askPostgres(url: string): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: utcUrl(url),
      application_name: 'forgeplane-start',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // What becomes of the connection is told by what is asked on it.
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ version: number; isStandby: boolean }>(LOOK);
    const version = rows[0]?.version ?? 0;
    if (version < OLDEST)
      throw new StartProblem(
        `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}: use 15 or newer.`,
      );
    if (rows[0]?.isStandby === true) throw new Standby('it is a standby, which cannot be written to');
  } catch (error) {
    if (error instanceof StartProblem || isTransient(error) || error instanceof Standby) throw error;
    throw (
      unusableDatabase(error) ??
      new StartProblem(`DATABASE_URL leads to no PostgreSQL to work with (${causeOf(error)}): correct it.`)
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Errors of the database that come from DATABASE_URL, in words; undefined for others and for what may pass. */
export function unusableDatabase(error: unknown): StartProblem | undefined {
  if (error instanceof StartProblem || isTransient(error)) return undefined;
  const code = errorCode(error);
  const remedy = REMEDIES[code ?? ''];
  if (remedy === undefined) return undefined;
  return new StartProblem(`DATABASE_URL leads to no database to work with (${causeOf(error)}): ${remedy}.`);
}
