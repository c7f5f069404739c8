import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { PayloadsService } from './payloads.service.js';

const MEBIBYTE = 1024 * 1024;

describe('payloads of slow senders', () => {
  it('use no more than the available memory, and leave some for small ones', async () => {
    const payloads = new PayloadsService();
    let clients = 0;
    const piece = Buffer.alloc(MEBIBYTE, ' ');
    const open = (): { body: PassThrough; answer: Promise<unknown> } => {
      const body = new PassThrough();
      const request = Object.assign(body, { headers: {} }) as unknown as IncomingMessage;
      clients += 1;
      const context = { remoteIp: `10.0.0.${clients}` } as RequestContext;
      const answer = requestContext.run(context, () =>
        payloads.use(request, (payload) => Promise.resolve(payload)),
      );
      return { body, answer };
    };
    const slow = Array.from({ length: 40 }, open);
    const refusals: unknown[] = [];
    const answers = Promise.all(
      slow.map(({ answer }) => answer.catch((error: unknown) => refusals.push(error))),
    );
    for (const { body } of slow) for (let count = 0; count < 4; count += 1) body.write(piece);
    while (refusals.length < 8) await nextTurn();
    const small = open();
    small.body.end('{"title": "Down"}');
    expect(await small.answer).toEqual({ title: 'Down' });
    expect(refusals.length).toBeLessThan(12);
    expect(refusals).toEqual(refusals.map(() => expect.objectContaining({ status: 503 })));
    for (const { body } of slow) body.emit('aborted');
    await answers;
  });
});
