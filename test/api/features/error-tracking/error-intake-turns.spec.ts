import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildTrackedProject } from '../../../support/builders/tracked-project.js';
import { COLLECTOR, envelopeOf, sentEvent } from '../../../support/error-sender.js';

const MEBIBYTE = 1024 * 1024;
const GREEDY = 24;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('many large bodies of one client do not keep those of another waiting', async () => {
  const { id, key } = await buildTrackedProject(api.root);
  const large = gzipSync(envelopeOf([['event', sentEvent({ extra: { text: 'x'.repeat(15 * MEBIBYTE) } })]]));
  const answered: string[] = [];
  const send = (localAddress: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const url = `${api.url}${COLLECTOR}/${id}/envelope/?sentry_key=${key}`;
      const sent = request(url, { method: 'POST', localAddress, headers: { 'Content-Encoding': 'gzip' } });
      sent.on('error', reject);
      sent.on('response', (response) => {
        answered.push(localAddress);
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.end(large);
    });
  const greedy = Array.from({ length: GREEDY }, () => send('127.0.0.2'));
  await Promise.race(greedy);
  const status = await send('127.0.0.1');
  const before = answered.indexOf('127.0.0.1');
  expect(before).toBeLessThan(GREEDY / 2);
  expect([...(await Promise.all(greedy)), status]).toEqual(Array(GREEDY + 1).fill(status));
});
