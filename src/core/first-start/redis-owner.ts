import type { Config } from '#kernel/config/config.js';
import { withClient } from '#kernel/database/with-client.js';
import { installationMark } from '#core/instance/installation-mark.js';

/**
 * Claims the configured Redis, if any, for the installation of this database. Returns what ends the claim of this process.
 * @throws StartProblem if another installation uses it
 */
export async function ownRedis(config: Config, url: string): Promise<() => void> {
  const { REDIS_URL: redis, DATABASE_DIRECT_URL: direct = url } = config;
  if (redis === undefined) return () => undefined;
  const options = { connectionString: direct, application_name: 'forgeplane-installation' };
  const mark = await withClient(options, installationMark);
  if (mark === undefined) return () => undefined;
  // The Redis client is only loaded if Redis is configured.
  const { claimRedis } = await import('#kernel/start/redis-claim.js');
  return claimRedis(redis, mark);
}
