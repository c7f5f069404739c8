import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';

describe('bodies that are not read completely', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  /**
   * Sends headers that announce a long body, its beginning, and then nothing; resolves with the first
   * line of the response.
   */
  const begin = (
    path: string,
    type: string,
    body: string,
    token = ROOT_TOKEN,
  ): Promise<{ line: string; socket: Socket }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(api.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('data', (chunk) => resolve({ line: chunk.toString().split('\r\n', 1)[0] ?? '', socket }));
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${token}\r\nContent-Type: ${type}\r\nContent-Length: 1000000\r\n\r\n${body}`,
      );
    });

  const connections = (): Promise<number> =>
    new Promise((resolve) =>
      (api.app.getHttpServer() as Server).getConnections((_error, count) => resolve(count)),
    );

  it('do not keep their connections after the response', async () => {
    const open = await Promise.all([
      begin('/api/v4/groups', 'multipart/form-data', 'x'),
      begin('/api/v4/groups', 'multipart/form-data; boundary=b', 'x', 'nobody'),
      begin('/api/v4/nothing', 'multipart/form-data; boundary=b', 'x'),
      begin('/api/v4/groups', 'text/plain', 'x'),
    ]);
    expect(open.map(({ line }) => Number(line.split(' ')[1]))).toEqual([400, 401, 404, 415]);
    for (let waited = 0; waited < 5_000 && (await connections()) > 0; waited += 100) await sleep(100);
    expect(await connections()).toBe(0);
    for (const { socket } of open) socket.destroy();
  });
});
