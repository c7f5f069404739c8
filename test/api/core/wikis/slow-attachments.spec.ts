import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { until } from '../../../support/until.js';

const MEBIBYTE = 1024 * 1024;
/** More than fit into the half of the limit that one client may use. */
const UPLOADS = 30;

let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await startApi();
  const { body } = await api.root.post<{ id: number }>('/projects', { name: 'Slow' });
  path = `/api/v4/projects/${body.id}/wikis/attachments`;
});
afterAll(() => api.close());

const head = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n',
);
const tail = Buffer.from('\r\n--b--\r\n');

/** Begins an upload of 10 MiB and keeps its last byte back. */
function begin(bytes = 10 * MEBIBYTE): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const sent = request(`${api.url}${path}`, {
    method: 'POST',
    headers: {
      'PRIVATE-TOKEN': ROOT_TOKEN,
      'Content-Type': 'multipart/form-data; boundary=b',
      'Content-Length': head.length + bytes + tail.length,
    },
  });
  sent.on('error', () => undefined);
  const answer = once(sent, 'response').then(([one]) => one as IncomingMessage);
  answer.catch(() => undefined);
  sent.write(Buffer.concat([head, Buffer.alloc(bytes - 1, 1)]));
  return { sent, answer };
}

it('slow uploads of one client do not fill the disk of temporary files', async () => {
  const refused: IncomingMessage[] = [];
  const uploads = Array.from({ length: UPLOADS }, () => begin());
  for (const { answer } of uploads) answer.then((one) => refused.push(one)).catch(() => undefined);
  try {
    await until(() => refused.length > 0);
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 503));
    expect(refused[0]?.headers['retry-after']).toBe('5');
    // A small file is no burden.
    const small = begin(1_000);
    small.sent.end(Buffer.concat([Buffer.from('x'), tail]));
    expect((await small.answer).statusCode).toBe(201);
  } finally {
    for (const { sent } of uploads) sent.destroy();
  }
  // What they held is free again.
  await until(async () => {
    const { sent, answer } = begin();
    sent.end(Buffer.concat([Buffer.from('x'), tail]));
    return (await answer).statusCode === 201;
  });
});
