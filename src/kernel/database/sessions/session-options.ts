import { utcUrl } from '../utc-url.js';
import type { DatabaseAddress } from './database-address.js';
import { SettledClient } from './settled-client.js';
import type { WatchedConfig } from './watched-client.js';

/** Milliseconds after which PostgreSQL ends what takes too long. */
interface SessionTimeouts {
  readonly statement_timeout?: number;
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

/** Options of a connection; `opening` is for clients that begin each transaction with it. */
interface SettledConfig extends WatchedConfig {
  readonly opening?: string;
}

/** Time that a statement may wait in the pooler for a session: `query_wait_timeout` as docs/operate.md sets it. */
const POOLER_QUEUE_MS = 30_000;

const OPTION = /-c ([\w.]+)=(\S+)/g;

/** What a session calls its default is the transaction's own. */
const ofTransaction = (name: string): string => name.replace(/^default_transaction_/, 'transaction_');

/**
 * How to connect for one purpose. PostgreSQL itself receives the settings (`-c name=value ...`) with the connection. Behind a pooler, where
 * connections of all purposes share the sessions, each transaction begins with them instead.
 */
export function sessionOptions(
  { url, isPooled }: DatabaseAddress,
  options: string,
  timeouts: SessionTimeouts = {},
  mustBePrimary = true,
): SettledConfig & { Client?: typeof SettledClient } {
  if (!isPooled) return { connectionString: utcUrl(url, options), ...timeouts, mustBePrimary };
  const settings = [
    ['TimeZone', 'UTC'],
    ...[...options.matchAll(OPTION)].map(([, name = '', value]) => [ofTransaction(name), value]),
    ...Object.entries(timeouts),
  ];
  const calls = settings.map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return {
    connectionString: url,
    opening: `select ${calls.join(', ')}`,
    statementMs: (timeouts.statement_timeout ?? Infinity) + POOLER_QUEUE_MS,
    Client: SettledClient,
    mustBePrimary,
  };
}
