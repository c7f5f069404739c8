import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

/** A proxy to the database that can be cut off. */
export interface DatabaseProxy {
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts clients again, at the same address. */
  mend(): Promise<void>;
  /** Forwards nothing more on the open connections, which stay open; new ones work. */
  silence(): void;
  /** Leads new connections to another server with the same database and user; open ones stay where they are. */
  leadTo(databaseUrl: string): void;
  close(): Promise<void>;
}

/** Forwards a port of the loopback to the server of the given URL, a socket of the file system included. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { user, password, database } = new pg.Client({ connectionString: databaseUrl });
  let to = placeOf(databaseUrl);
  const sockets = new Set<Socket>();
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(to);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = (at: number): Promise<void> =>
    new Promise((resolve) => server.listen(at, '127.0.0.1', () => resolve()));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const credentials = `${encodeURIComponent(user ?? 'postgres')}:${encodeURIComponent(password ?? '')}`;
  return {
    url: `postgres://${credentials}@127.0.0.1:${own}/${database ?? ''}`,
    cut: stop,
    mend: () => listen(own),
    silence: () => {
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream).resume();
        upstream.unpipe(client).resume();
      }
    },
    leadTo: (other) => {
      to = placeOf(other);
    },
    close: () => (server.listening ? stop() : Promise.resolve()),
  };
}

function placeOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const { host, port } = new pg.Client({ connectionString: databaseUrl });
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
