import type pg from 'pg';
import { WatchedClient } from './sessions/watched-client.js';

/**
 * Runs work on a separate connection, which is closed afterwards. If it is lost, only its own queries fail.
 */
export async function withClient<T>(
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new WatchedClient(options);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
