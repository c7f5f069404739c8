import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { until } from '../../../support/until.js';

const MEBIBYTE = 1024 * 1024;
/** Three quarters of the concurrent requests. */
const SHARE = 15;

let api: TestApi;
let file: string;
beforeAll(async () => {
  api = await startApi({ MAX_CONCURRENT_REQUESTS: '20', LOG_LEVEL: 'silent' });
  const project = await buildProject(api.root, {
    visibility: 'public',
    package_registry_access_level: 'public',
  });
  file = `/api/v4/projects/${project.id}/packages/generic/large/1.0.0/file.bin`;
  // More than the buffers of both sides hold.
  const body = new Uint8Array(16 * MEBIBYTE);
  const { status } = await fetch(`${api.url}${file}`, {
    method: 'PUT',
    body,
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  expect(status).toBe(201);
});
afterAll(() => api.close());

const inFlight = async (): Promise<number> =>
  Number(/^http_requests_in_flight (\d+)/m.exec((await api.anonymous.get('/-/metrics')).text)?.[1]);

/** Requests a file and reads nothing of it. */
async function ask(from: string): Promise<Socket> {
  const { hostname, port } = new URL(api.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

describe('a client that asks for many files and does not read them', () => {
  it('leaves a quarter of the requests to the others', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => ask('127.0.0.2')));
    try {
      // The request for the metrics runs as well.
      await until(async () => (await inFlight()) > SHARE);
      expect((await api.root.get('/version')).status).toBe(200);
      sockets.push(await ask('127.0.0.2'));
      expect((await api.root.post('/projects', { name: 'made' })).status).toBe(201);
      expect(await inFlight()).toBe(SHARE + 1);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await until(async () => (await inFlight()) === 1);
    const again = await ask('127.0.0.2');
    await until(async () => (await inFlight()) === 2);
    again.destroy();
  });
});
