import type { DatabaseConfig } from '#kernel/config/database-config.js';

/** Server settings by name, as in postgresql.conf. */
export type Settings = Readonly<Record<string, string>>;

/** Frugal: one application on the same machine, about 40 MB; durable: fsync and full page writes stay on. */
const FRUGAL: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '256MB',
  wal_buffers: '1MB',
  huge_pages: 'off',
  jit: 'off',
  // Reads go through the kernel's cache: its own I/O processes would only cost memory.
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_worker_slots: '2',
  autovacuum_max_workers: '2',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  checkpoint_timeout: '15min',
  // Woken at once by what there is to write; between rounds without it, fifty times as long.
  bgwriter_delay: '1s',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

/** Connections for commands, administrators and migrations. */
const OTHERS = 12;

/** Connections that a process may open in addition to its pools: for short reads, large answers and notifications. */
const BEYOND_POOLS = 11;

/** Settings with connections for so many processes at their most, as docs/operate.md counts them. */
export function roomFor(processes: number, config: DatabaseConfig): Settings {
  const { DATABASE_POOL: writes, DATABASE_READ_POOL: reads, DATABASE_QUEUE_POOL: queue } = config;
  const most = writes + Math.ceil(writes / 2) + reads + queue + BEYOND_POOLS;
  return { max_connections: String(Math.max(Number(FRUGAL['max_connections']), processes * most + OTHERS)) };
}

/** Major versions that introduced a setting: older servers refuse to start with it. */
const SINCE: Readonly<Record<string, number>> = { io_method: 18, autovacuum_worker_slots: 18 };

/** Arguments of the `postgres` program of the given major version. */
export function serverArguments(own: Settings, major: number): string[] {
  return Object.entries({ ...FRUGAL, ...own })
    .filter(([name]) => (SINCE[name] ?? 0) <= major)
    .flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
