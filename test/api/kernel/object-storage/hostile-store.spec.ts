import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { s3Error, startMeddlingS3, type MeddlingS3 } from '../../../support/meddling-s3.js';

const CONTENT = '0123456789abcdefghij';
const WITHIN_MS = 5_000;
/** More than the SDK of S3 opens connections by default. */
const MANY = 60;

describe('an object store that answers wrongly', () => {
  let s3: MeddlingS3;
  let api: TestApi;
  let file: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeAll(async () => {
    s3 = await startMeddlingS3();
    api = await startApi({ OBJECT_STORE_URL: s3.url('forge/wrong'), LOG_LEVEL: 'silent' });
    file = `/projects/${(await buildProject(api.root)).id}/packages/generic/p/1.0/f.bin`;
    expect((await api.root.put(file, CONTENT)).status).toBe(201);
  });
  afterEach(() => s3.meddle());
  afterAll(async () => {
    agent.destroy();
    await api.close();
    await s3.close();
  });

  /** Status and content as a client reads them; null if the connection was cut. */
  const ask = (headers: Record<string, string> = {}): Promise<[number | undefined, string | null]> =>
    new Promise((resolve, reject) => {
      const asked = get(
        `${api.url}/api/v4${file}`,
        { agent, headers: { 'private-token': ROOT_TOKEN, ...headers } },
        (answer: IncomingMessage) => {
          buffer(answer).then(
            (content) => resolve([answer.statusCode, content.toString()]),
            () => resolve([answer.statusCode, null]),
          );
        },
      );
      asked.on('error', reject);
      asked.setTimeout(WITHIN_MS, () => asked.destroy(new Error('The answer does not end')));
    });
  const answerWith = (status: number, body: string, headers: Record<string, string> = {}): void =>
    s3.meddle((request, response) => {
      if (request.method !== 'GET') return false;
      response.writeHead(status, { 'Content-Length': body.length, ETag: '"x"', ...headers });
      response.end(body);
      return true;
    });

  it('never passes a shorter object on as complete, nor leaves its client waiting', async () => {
    answerWith(200, CONTENT.slice(0, 7));
    expect(await ask()).toEqual([200, null]);
    s3.meddle();
    expect(await ask()).toEqual([200, CONTENT]);
  });

  it('never sends more bytes than it has announced: they would be taken for the next answer', async () => {
    answerWith(200, `${CONTENT}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`);
    await ask().catch(() => undefined);
    s3.meddle();
    for (let turn = 0; turn < 3; turn += 1) expect(await ask()).toEqual([200, CONTENT]);
  });

  it.each([
    ['ignores the range', 200, CONTENT, undefined],
    ['sends another one', 206, CONTENT.slice(0, 3), 'bytes 0-2/20'],
    ['sends more', 206, CONTENT.slice(5), 'bytes 5-19/20'],
    ['does not say which one it sends', 206, CONTENT.slice(5, 8), undefined],
  ] as const)(
    'sends no other part than it was asked for, if the store %s',
    async (_what, status, body, part) => {
      expect(await ask({ Range: 'bytes=5-7' })).toEqual([206, '567']);
      answerWith(status, body, part === undefined ? {} : { 'Content-Range': part });
      expect((await ask({ Range: 'bytes=5-7' }))[0]).toBe(503);
    },
  );

  it.each([
    [503, 'SlowDown'],
    [500, 'InternalError'],
    [403, 'RequestTimeTooSkewed'],
    [301, 'PermanentRedirect'],
    [404, 'NoSuchBucket'],
  ] as const)('answers 503 to its own clients for %d %s', async (status, code) => {
    s3.meddle((_request, response) => s3Error(response, status, code));
    expect((await ask())[0]).toBe(503);
    expect((await api.root.put(file.replace('f.bin', 'g.bin'), 'x')).status).toBe(503);
  });

  it('serves others while many clients read slowly', async () => {
    const large = file.replace('f.bin', 'large.bin');
    expect((await api.root.put(large, Buffer.alloc(8 * 1024 * 1024))).status).toBe(201);
    const slow = Array.from({ length: MANY }, () =>
      get(`${api.url}/api/v4${large}`, { agent: false, headers: { 'private-token': ROOT_TOKEN } }),
    );
    try {
      const heads = await Promise.all(
        slow.map((each) => once(each, 'response') as Promise<[IncomingMessage]>),
      );
      expect(heads.map(([{ statusCode }]) => statusCode)).toEqual(slow.map(() => 200));
      expect(await ask()).toEqual([200, CONTENT]);
      expect((await api.root.put(file.replace('f.bin', 'h.bin'), 'x')).status).toBe(201);
    } finally {
      for (const each of slow) each.destroy();
    }
  });
});
