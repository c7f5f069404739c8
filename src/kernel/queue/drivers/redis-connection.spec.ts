import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from '../../../../test/support/until.js';
import { impatientRedis, patientRedis } from './redis-connection.js';

const ANSWERS: Readonly<Record<string, string>> = {
  info: '$9\r\nloading:0\r\n',
  ping: '+PONG\r\n',
};

it.each([
  ['an impatient', impatientRedis],
  ['a patient', patientRedis],
])('%s connection becomes ready after one on which the server said nothing', async (_, open) => {
  let isFirst = true;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (isFirst) {
      isFirst = false;
      return;
    }
    socket.on('data', (data) => {
      for (const [, command = ''] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(ANSWERS[command] ?? '+OK\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redis = open(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, 'test');
  redis.on('error', () => undefined);
  try {
    await until(() => redis.status === 'ready');
  } finally {
    redis.disconnect();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

it('reconnects to a server that accepted the connection and closed it without a response', async () => {
  let hangUps = 3;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (hangUps > 0) {
        hangUps -= 1;
        socket.destroy();
        return;
      }
      for (const [, command = ''] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(ANSWERS[command] ?? '+OK\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redis = impatientRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, 'test');
  redis.on('error', () => undefined);
  try {
    await until(() => redis.ping().then(() => true), 5_000);
    expect(hangUps).toBe(0);
  } finally {
    redis.disconnect();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
