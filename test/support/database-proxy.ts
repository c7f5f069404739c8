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
  close(): Promise<void>;
}

/** Forwards a port of the loopback to the server of the given URL, a socket of the file system included. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new pg.Client({ connectionString: databaseUrl });
  const { host, port, user, password, database } = target;
  const to = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
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
    close: () => (server.listening ? stop() : Promise.resolve()),
  };
}
