import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../../support/api.js';
import { insertIssues } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import { HeldRequest } from '../../../support/held-request.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';
import { until } from '../../../support/until.js';

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** With that many of 9 MiB, all of which are accepted, one address may hold 3 MiB more. */
const SENDERS = 5;

setFlagsFromString('--expose-gc');

/** Bytes of memory in use. */
const used = (): number => {
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

describe('large bodies of any caller', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi();
  });
  afterAll(() => api.close());

  const large = JSON.stringify({ ignored: 'x'.repeat(5 * MEBIBYTE) });
  const send = (): ReturnType<TestApi['root']['post']> => api.root.post('/probe/echo', large, JSON_TYPE);

  it.each([
    ['that do not end', 10 * MEBIBYTE, Buffer.alloc(9 * MEBIBYTE, 0x20)],
    ['that are small until they are unpacked', MEBIBYTE, gzipSync(Buffer.alloc(9 * MEBIBYTE, 0x20))],
  ])('%s use limited memory: others get 503, small ones are served', async (_name, length, body) => {
    expect((await send()).status).toBe(201);
    const senders = Array.from({ length: SENDERS }, () => half(length, body));
    let refused = await send();
    await until(async () => {
      // The limit may hit another sender: that one replaces this one.
      for (const [index, { destroyed }] of senders.entries())
        if (destroyed) senders[index] = half(length, body);
      refused = await send();
      return refused.status === 503;
    });
    expect([refused.status, refused.body]).toEqual([503, { message: '503 Service Unavailable' }]);
    expect(refused.headers.get('retry-after')).toBe('5');
    const small = JSON.stringify({ ignored: 'x'.repeat(60 * 1024) });
    expect((await api.root.post('/probe/echo', small, JSON_TYPE)).status).toBe(201);
    for (const sender of senders) sender.destroy();
    await until(async () => (await send()).status === 201);
  });

  /** A sender without a credential that never sends the end of its body. */
  function half(length: number, body: Buffer): Socket {
    const { hostname, port } = new URL(api.url);
    const packed = body.length < MEBIBYTE ? 'Content-Encoding: gzip\r\n' : '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/v4/probe/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${packed}Content-Length: ${length}\r\n\r\n`,
      );
      socket.write(body);
    });
    return socket.on('error', () => undefined).resume();
  }
});

describe('bodies that are sent byte by byte', () => {
  const BYTES = 200_000;

  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi();
    await api.root.post('/projects', { name: 'open', visibility: 'public', initialize_with_readme: true });
  });
  afterAll(() => api.close());

  const FIELD = '--x\r\nContent-Disposition: form-data; name="search"\r\n\r\n';

  it.each([
    ['JSON', 'POST /api/v4/probe/echo', 'application/json', ' '],
    [
      'what git asks for',
      'POST /root/open.git/git-upload-pack',
      'application/x-git-upload-pack-request',
      '0',
    ],
    ['a field', 'GET /api/v4/projects', 'multipart/form-data; boundary=x', '0', FIELD],
  ])('use little memory: %s', async (_name, target, type, byte, start = '') => {
    const beginning = start === '' ? '' : `${start.length.toString(16)}\r\n${start}\r\n`;
    const body = beginning + `1\r\n${byte}\r\n`.repeat(BYTES);
    const arrived = once(api.app.getHttpServer() as Server, 'connection') as Promise<[Socket]>;
    const headers = { 'Content-Type': type, 'Transfer-Encoding': 'chunked' };
    const request = await HeldRequest.begin(api.url, target, headers, { body });
    const [socket] = await arrived;
    await until(() => socket.bytesRead > body.length);
    const held = used();
    request.leave();
    await until(() => socket.destroyed);
    expect(held - used()).toBeLessThan(15 * MEBIBYTE);
  });
});

describe('filters in large bodies', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  it('leave nothing in memory where the list is too long to be counted', async () => {
    const { id } = await buildProject(api.root, { visibility: 'public' });
    await insertIssues(api, id, 11_001);
    const list = async (round: number): Promise<void> => {
      const iids = Array.from({ length: 1_000 }, (_, index) => 10 ** 14 + round * 1_000 + index);
      const body = JSON.stringify({ not: { iids } });
      const headers = { ...JSON_TYPE, 'Content-Length': String(body.length) };
      const request = await HeldRequest.begin(api.url, `GET /api/v4/projects/${id}/issues`, headers, {
        body,
      });
      expect(await request.status).toBe(200);
      request.leave();
    };
    for (let round = 0; round < 20; round += 1) await list(round);
    const before = used();
    for (let round = 20; round < 420; round += 1) await list(round);
    expect(used() - before).toBeLessThan(3 * MEBIBYTE);
  });
});
