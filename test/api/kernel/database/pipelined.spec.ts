import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';
import { sendRaw } from '../../../support/raw-http.js';
import { until } from '../../../support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startProbedApi();
});
afterAll(() => api.close());

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

function open(text: string): Socket {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on('error', () => undefined);
  return socket.pause();
}

describe('requests that arrive before the response to the previous one', () => {
  it('are answered in order, including bodies', async () => {
    const body = JSON.stringify({ text: 'x' });
    const post = `POST /api/v4/markdown HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const paths = Array.from({ length: 60 }, (_, number) => get(`/api/v4/nowhere/${number}`));
    // The service closes the connection: the time that takes is irrelevant.
    const last = get('/-/liveness').replace('Host: x', 'Host: x\r\nConnection: close');
    const { body: text, head } = await sendRaw(api.url, `${paths.join('')}${post}${last}`, 60_000);
    const statuses = [...`${head}\r\n\r\n${text}`.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual([...paths.map(() => '404'), expect.any(String), '200']);
  });

  it('continue when their client finally reads', async () => {
    const socket = open(get('/api/v4/openapi.json').repeat(30));
    await sleep(300);
    let text = 0;
    socket.on('data', (piece) => (text += piece.toString('latin1').split('HTTP/1.1 200').length - 1));
    socket.resume();
    await until(() => text === 30);
    socket.destroy();
  });

  it('are not started while the client does not read, and are cut off above a number no client sends', async () => {
    const before = await served();
    const few = open(get('/api/v4/openapi.json').repeat(400));
    const many = open(get('/api/v4/nowhere').repeat(3_000));
    await sleep(1_500);
    expect((await served()) - before).toBeLessThan(20);
    const closed = new Promise((resolve) => many.once('close', resolve));
    many.resume();
    await closed;
    expect(few.destroyed).toBe(false);
    few.destroy();
  });

  /** Requests for the document that were answered. */
  async function served(): Promise<number> {
    const text = await (await fetch(`${api.url}/-/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith('http_requests_total'));
    const ofDocument = lines.filter((line) => line.includes('openapi.json'));
    return ofDocument.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }
});

describe('the API document, created once', () => {
  const ask = (headers: Record<string, string>, method = 'GET') =>
    sendRaw(
      api.url,
      `${method} /api/v4/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('')}\r\n`,
    );

  it('is sent in an encoding that the client accepts', async () => {
    const plain = await ask({});
    expect(plain.head).not.toMatch(/content-encoding/i);
    const document = Buffer.from(plain.body, 'latin1').toString();
    expect(JSON.parse(document)).toHaveProperty('openapi');
    const br = await ask({ 'Accept-Encoding': 'gzip, deflate, br' });
    expect(br.head).toContain('Content-Encoding: br');
    expect(brotliDecompressSync(Buffer.from(br.body, 'latin1')).toString()).toBe(document);
    const gzip = await ask({ 'Accept-Encoding': 'br;q=0, gzip;q=0.5' });
    expect(gzip.head).toContain('Content-Encoding: gzip');
    expect(gunzipSync(Buffer.from(gzip.body, 'latin1')).toString()).toBe(document);
    expect((await ask({ 'Accept-Encoding': 'identity' })).head).not.toMatch(/content-encoding/i);
    expect(gzip.head).toMatch(/Vary: .*Accept-Encoding/);
  });

  it('is not sent to a client that has it', async () => {
    const tag = /ETag: (.*)/.exec((await ask({}, 'HEAD')).head)?.[1]?.trim() ?? '';
    const again = await ask({ 'If-None-Match': tag });
    expect([again.status, again.body]).toEqual([304, '']);
  });
});
