import { randomInt } from 'node:crypto';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { DatabaseAddress } from '#kernel/database/sessions/database-address.js';
import { sessionOptions } from '#kernel/database/sessions/session-options.js';
import { WatchedClient } from '#kernel/database/sessions/watched-client.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { isTransient } from '#kernel/database/transient.js';
import { withClient } from '#kernel/database/with-client.js';
import type { Config } from '#kernel/config/config.js';

const TIMEOUT_MS = 5_000;

const LOCK = 'select pg_advisory_lock($1, $2)';
/** Only sessions in the same database of the same server see the lock. */
const LOOK = `select current_setting('TimeZone') as zone, exists (select from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2
  and objsubid = 2 and database = (select oid from pg_database where datname = current_database())) as "isSame"`;

/** An arbitrary number that no other lock uses. */
const LOCK_CLASS = 746_274;

/**
 * Checks whether the pooler is usable and both URLs point to the same database. @throws StartProblem for
 * errors that are not temporary
 */
export async function askPooler(config: Config, url: string): Promise<void> {
  const address = DatabaseAddress.of(config, url);
  const common = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS };
  const { Client = WatchedClient, ...options } = sessionOptions(address, '');
  const key = [LOCK_CLASS, randomInt(2 ** 31)];
  await withClient(
    { ...sessionOptions(DatabaseAddress.direct(address.direct), ''), ...common },
    async (session) => {
      await session.query(LOCK, key);
      const client = new Client({ ...options, ...common });
      client.on('error', () => undefined);
      try {
        await client.connect();
        // Poolers in statement mode reject this.
        await client.query('begin');
        const { rows } = await client.query<{ zone: string; isSame: boolean }>(LOOK, key);
        await client.query('commit');
        if (rows[0]?.zone !== 'UTC')
          throw new StartProblem(
            `DATABASE_URL points to a pooler that does not keep the statements of a transaction together (the time zone is ${rows[0]?.zone ?? 'unknown'}): set pool_mode = transaction.`,
          );
        if (!rows[0].isSame)
          throw new StartProblem(
            'DATABASE_DIRECT_URL and DATABASE_URL point to different databases: both must point to the same one, directly and through the pooler.',
          );
      } catch (error) {
        throw poolerProblem(error) ?? error;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  );
}

/** Errors of the pooler itself have the SQLSTATE class of lost connections, most of which are temporary. */
function poolerProblem(error: unknown): StartProblem | undefined {
  const cause = causeOf(error);
  const isFinal =
    /no such (database|user)|auth(entication)? failed|not allowed/i.test(cause) ||
    /^(28|3D000)/.test(errorCode(error) ?? '');
  if (error instanceof StartProblem || (isTransient(error) && !isFinal)) return undefined;
  if (errorCode(error) === undefined && !isFinal) return undefined;
  return new StartProblem(
    `DATABASE_URL does not point to a usable pooler (${cause}): correct the database name, user and password in it or in the configuration of the pooler.`,
  );
}
