import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitSilence } from './upstream-silence.js';

const LIMIT_MS = 200;
const CONTENT = Buffer.alloc(8 * 1024 * 1024, 'x');

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Length': CONTENT.length });
    if (request.url === '/whole') response.end(CONTENT);
    else response.write(CONTENT.subarray(0, 1_000));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(path: string): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', path, agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  // The request tells the same error.
  request.on('error', () => undefined);
  limitSilence(answer, LIMIT_MS);
  return answer;
}

it('does not end an answer that its reader leaves unread', async () => {
  const answer = await ask('/whole');
  answer.pause();
  await sleep(LIMIT_MS * 5);
  expect(await buffer(answer)).toHaveLength(CONTENT.length);
});

it('ends an answer whose server falls silent', async () => {
  const answer = await ask('/stuck');
  await expect(buffer(answer)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
});
