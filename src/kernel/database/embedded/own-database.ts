import pg from 'pg';
import { DATABASE } from './cluster.js';

/** Default port number, which is part of the socket's file name. */
export const DEFAULT_PORT = 5432;

/** URL of the product's database, or of another one, on the server with its socket in this folder. */
export function urlOfSocket(folder: string, { port = DEFAULT_PORT, database = DATABASE } = {}): string {
  const named = port === DEFAULT_PORT ? '' : `&port=${port}`;
  return `postgres://${DATABASE}@/${database}?host=${encodeURIComponent(folder)}${named}`;
}

/** Creates the product's database if it does not exist. */
export async function createDatabase(socketFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOfSocket(socketFolder, { database: 'postgres' }) });
  // The query rejects with the same error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
