import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { WatchedClient } from '#kernel/database/sessions/watched-client.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { isTransient } from '#kernel/database/transient.js';
import { utcUrl } from '#kernel/database/utc-url.js';

const TIMEOUT_MS = 5_000;
/** 15.0 in the format of `server_version_num`. */
const OLDEST = 150_000;

/** A connection setting that only PostgreSQL itself keeps. */
const MARK = 'forgeplane.direct';

/** Errors of poolers for connection settings. */
const REFUSED_SETTING = /unsupported (startup parameter|options? in startup)/i;

const LOOK = `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
  current_setting('${MARK}', true) is not distinct from 'on' as "isDirect"`;

/** Remedies for errors that are not temporary, by SQLSTATE. */
const REMEDIES: Readonly<Record<string, string>> = {
  '3D000': 'create that database, or correct its name',
  '28P01': 'correct user and password',
  '28000': 'correct the user, or allow it in pg_hba.conf',
  '42501': 'grant this user connect and create on the database and its schema, or name its owner',
};

class Standby extends Error {}

/** Checks whether PostgreSQL is usable. @throws StartProblem for errors that are not temporary */
export async function askPostgres(url: string, variable = 'DATABASE_URL'): Promise<void> {
  let client: WatchedClient | undefined;
  try {
    client = new WatchedClient({
      connectionString: utcUrl(url, `-c ${MARK}=on`),
      application_name: 'forgeplane-start',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Connection errors are reported by the queries.
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ version: number; isStandby: boolean; isDirect: boolean }>(LOOK);
    if (rows[0]?.isDirect !== true) throw behindPooler(variable, 'settings of the connection are lost');
    const version = rows[0].version;
    if (version < OLDEST)
      throw new StartProblem(
        `${variable} points to PostgreSQL ${Math.floor(version / 10_000)}: use version 15 or newer.`,
      );
    if (rows[0].isStandby) throw new Standby('it is a standby, which cannot be written to');
  } catch (error) {
    if (REFUSED_SETTING.test(causeOf(error))) throw behindPooler(variable, causeOf(error));
    if (error instanceof StartProblem || error instanceof Standby) throw error;
    const unusable = unusableDatabase(error, variable);
    if (unusable) throw unusable;
    if (isTransient(error)) throw error;
    throw new StartProblem(
      `${variable} does not point to a usable PostgreSQL (${causeOf(error)}): correct it.`,
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Describes a URL of a pooler that provides no session. */
const behindPooler = (variable: string, cause: string): StartProblem =>
  new StartProblem(
    variable === 'DATABASE_URL'
      ? `DATABASE_URL points to a pooler (${cause}): set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL to the URL of PostgreSQL itself.`
      : `${variable} points to a pooler (${cause}): set it to the URL of PostgreSQL itself.`,
  );

/** Describes database errors caused by the address in a variable; undefined for others. */
export function unusableDatabase(error: unknown, variable = 'DATABASE_URL'): StartProblem | undefined {
  if (error instanceof StartProblem) return undefined;
  const code = errorCode(error);
  const remedy = REMEDIES[code ?? ''];
  if (remedy === undefined) return undefined;
  return new StartProblem(`${variable} does not point to a usable database (${causeOf(error)}): ${remedy}.`);
}
