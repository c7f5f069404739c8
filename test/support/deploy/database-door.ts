import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../processes.js';
import { until } from '../until.js';

/** A port of the loopback (haproxy) to the database, for users who cannot access its socket. */
export interface DatabaseDoor {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens a port to the database of the given URL. */
export async function openDatabaseDoor(databaseUrl: string): Promise<DatabaseDoor> {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl });
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-door-'));
  const own = await freePort();
  const server = host.startsWith('/') ? `unix@${host}/.s.PGSQL.${port}` : `${host}:${port}`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `listen database\n  mode tcp\n  bind 127.0.0.1:${own}\n  timeout connect 30s\n  timeout client 1h\n  timeout server 1h\n  server postgres ${server}\n`,
  );
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await until(() => isOpen(own));
  const credentials = `${encodeURIComponent(user ?? 'postgres')}:${encodeURIComponent(password ?? '')}`;
  return {
    url: `postgres://${credentials}@127.0.0.1:${own}/${database ?? ''}`,
    close: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a process listens on the port. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
