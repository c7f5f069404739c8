import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { HttpError } from '#kernel/http/errors.js';
import { DestinationRefused } from '#features/bulk-imports/steps/destination-refused.js';
import { refusal } from '#features/bulk-imports/steps/destinations.service.js';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=edge';

const cut = (bytes: Buffer): Buffer => bytes.subarray(0, -5);
const part = (head: string, value: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--edge\r\n${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n--edge--\r\n'),
  ]);
const NAMED = 'Content-Disposition: form-data; name="name"';

let api: TestApi;
beforeAll(async () => {
  api = await startProbedApi({ LOG_LEVEL: 'silent' });
});
afterAll(() => api.close());

async function send(
  method: string,
  path: string,
  type: string,
  body: Buffer | string,
  encoding?: string,
): Promise<number> {
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: {
      'PRIVATE-TOKEN': ROOT_TOKEN,
      'Content-Type': type,
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    },
    body: new Uint8Array(Buffer.from(body)),
  });
  const answer = (await response.json()) as object;
  expect([path, response.status, answer]).toEqual([
    path,
    response.status,
    expect.objectContaining({ message: expect.anything() }),
  ]);
  return response.status;
}

describe('a broken body', () => {
  const text = Buffer.from(JSON.stringify({ name: 'x'.repeat(3000), path: 'x' }));
  it.each([
    ['gzip, which is text', JSON_TYPE, text, 'gzip'],
    ['gzip, cut off', JSON_TYPE, cut(gzipSync(text)), 'gzip'],
    ['gzip, with another length', JSON_TYPE, Buffer.concat([cut(gzipSync(text)), Buffer.alloc(5)]), 'gzip'],
    ['deflate, which is gzip', JSON_TYPE, gzipSync(text), 'deflate'],
    ['deflate, cut off', JSON_TYPE, cut(deflateSync(text)), 'deflate'],
    ['brotli, which is text', JSON_TYPE, text, 'br'],
    ['brotli, cut off', FORM_TYPE, cut(brotliCompressSync(text)), 'br'],
    ['a multipart body without an edge', 'multipart/form-data', 'x', undefined],
    ['a multipart body that does not end', MULTIPART, `--edge\r\n${NAMED}\r\n\r\nx`, undefined],
    ['a multipart body with a broken head', MULTIPART, part('Content-Disposition: \u0000', 'x'), undefined],
    ['JSON in UTF-16', JSON_TYPE, Buffer.from('{"name": "x"}', 'utf16le'), undefined],
    ['JSON of half a character', JSON_TYPE, '{"name": "\\ud800", "path": "\\udc00"}', undefined],
  ])('gets 400 everywhere: %s', async (_what, type, body, encoding) => {
    for (const [method, path] of [
      ['POST', '/api/v4/groups'],
      ['PUT', '/api/v4/projects/1'],
      ['POST', '/api/v4/users'],
    ] as const)
      expect([path, await send(method, path, type, body, encoding)]).toEqual([path, 400]);
  });

  it.each(['utf-16le', 'utf-8', 'latin1', 'x-nothing', 'ucs-2'])(
    'with half a character in fields of %s affects no other request',
    async (charset) => {
      const half = Buffer.from([0x00, 0xd8, 0x41, 0x00, 0x00, 0xdc]);
      const body = part(`${NAMED}\r\nContent-Type: text/plain; charset=${charset}`, half);
      expect(await send('POST', '/api/v4/groups', MULTIPART, body)).toBe(400);
      expect((await api.anonymous.get('/-/health')).status).toBe(200);
    },
  );
});

describe('errors of libraries', () => {
  it('that are meant for clients keep their status, but not their text', async () => {
    const answer = await api.root.get('/probe/foreign?exposed=true');
    expect([answer.status, answer.body]).toEqual([422, { message: '422 Unprocessable Entity' }]);
  });

  it('that mention other parties are translated', async () => {
    const answer = await api.root.get('/probe/foreign?exposed=false');
    expect([answer.status, answer.body]).toEqual([500, { message: '500 Internal Server Error' }]);
  });
});

describe('the text of a refusal', () => {
  it('is shown to users for a refused destination', () => {
    const refused = refusal(new HttpError(400, { message: { visibility: ['is restricted'] } }));
    expect(refused).toBeInstanceOf(DestinationRefused);
    expect((refused as Error).message).toBe('visibility is restricted');
  });

  it('consists of its problems as text, not as JSON', () => {
    const taken = new HttpError(400, {
      message: { path: ['has already been taken'], 'a[b]': { c: ['is invalid'] } },
    });
    expect(taken.message).toBe('path has already been taken, a[b][c] is invalid');
    expect(new HttpError(404, { message: '404 Project Not Found' }).message).toBe('404 Project Not Found');
    expect(new HttpError(405, { error: 'No keyset' }).message).toBe('No keyset');
    expect(new HttpError(400, { error: 'invalid_grant', error_description: 'Too late' }).message).toBe(
      'Too late',
    );
    expect(new HttpError(304, null).message).toBe('304');
  });
});
