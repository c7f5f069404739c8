import { afterEach, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SingleStatements } from '#kernel/database/statements/single-statements.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { FirstUsesService } from './first-uses.service.js';

let settledAt = new Date(0);
const run = (_statement: unknown, [, at]: [number, Date]): Promise<void> => {
  settledAt = at;
  return Promise.resolve();
};
const uses = new FirstUsesService({ run } as unknown as SingleStatements);

const arrive = (): RequestContext =>
  ({ arrivedAt: Date.now(), startedAt: performance.now() }) as unknown as RequestContext;
const comesAgain = (request: RequestContext, id: number): boolean =>
  requestContext.run(request, () => uses.cameAgain('oauth_tokens', id, settledAt));

afterEach(() => {
  jest.restoreAllMocks();
});

it('a reuse is noticed even if the clock of the machine was set back after the first use', async () => {
  const racing = arrive();
  await uses.settle('oauth_tokens', 1);
  const anHourAgo = Date.now() - 3_600_000;
  jest.spyOn(Date, 'now').mockReturnValue(anHourAgo);
  expect([comesAgain(racing, 1), comesAgain(arrive(), 1)]).toEqual([false, true]);
});

it('a request that arrives before the response to the first use was sent has only lost the race', async () => {
  let racing = arrive();
  const server = createServer((_request, response) => {
    void requestContext.run({ ...arrive(), response }, async () => {
      await uses.settle('oauth_tokens', 2);
      racing = arrive();
      response.end('the new token');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  await answer.text();
  server.close();
  expect([comesAgain(racing, 2), comesAgain(arrive(), 2)]).toEqual([false, true]);
});
