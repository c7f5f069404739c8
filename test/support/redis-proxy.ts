import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to Redis whose connections can fall silent or end. */
export interface RedisProxy {
  readonly url: string;
  /** Passes nothing on, and closes nothing, on the present connections of this name; later ones work. Returns how many. */
  silence(name: string): number;
  /** Closes the present connections; later ones work. */
  cut(): void;
  close(): Promise<void>;
}

/** Forwards a port of the loopback to the Redis of the given URL. */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  const url = new URL(redisUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const pairs = new Set<{ readonly sockets: readonly [Socket, Socket]; name: string }>();
  const server = createServer((client) => {
    const upstream = connect(target);
    const pair = { sockets: [client, upstream] as const, name: '' };
    pairs.add(pair);
    client.on('data', (data) => {
      const [, name] = /setname\r\n\$\d+\r\n(\S+)\r\n/i.exec(data.toString()) ?? [];
      pair.name = name ?? pair.name;
    });
    for (const socket of pair.sockets) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence(name) {
      const silent = [...pairs].filter((pair) => pair.name === name);
      for (const { sockets } of silent)
        for (const socket of sockets) {
          socket.unpipe();
          socket.removeAllListeners('data');
          socket.pause();
        }
      return silent.length;
    },
    cut,
    async close() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}
