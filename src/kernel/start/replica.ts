import type { Config } from '#kernel/config/config.js';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import {
  IDENTITY_SQL,
  mismatchOf,
  type ServerIdentity,
} from '#kernel/database/replica/replica-position.sql.js';
import { withClient } from '#kernel/database/with-client.js';
import { logger } from '#kernel/log/logger.js';
import { redactText } from '#kernel/log/redaction.js';

const TIMEOUT_MS = 5_000;

/**
 * Checks that DATABASE_REPLICA_URL points to a replica of the database; an unreachable one is only logged, because the service works without it.
 * @throws StartProblem for a server that is not a replica: it would answer with other data
 */
export async function checkReplica({
  DATABASE_URL,
  DATABASE_DIRECT_URL,
  DATABASE_REPLICA_URL: url,
}: Config): Promise<void> {
  const primaryUrl = DATABASE_DIRECT_URL ?? DATABASE_URL;
  if (url === undefined || primaryUrl === undefined) return;
  const primary = await identityOf(primaryUrl);
  const replica = await identityOf(url).catch((error: unknown) => {
    logger.warn(
      `DATABASE_REPLICA_URL points to no replica that answers (${redactText(causeOf(error))}): the primary serves all lists for now`,
    );
  });
  const mismatch = replica && mismatchOf(replica, primary);
  if (typeof mismatch === 'string')
    throw new StartProblem(
      `DATABASE_REPLICA_URL does not point to a replica of the database (${mismatch}): name one, or unset it.`,
    );
}

const identityOf = (url: string): Promise<ServerIdentity> =>
  withClient(
    {
      connectionString: url,
      application_name: 'forgeplane-start',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    },
    async (client) => (await client.query<ServerIdentity>(IDENTITY_SQL)).rows[0] as ServerIdentity,
  );
