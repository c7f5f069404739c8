import { afterEach, expect, it, jest } from '@jest/globals';
import type { SingleStatements } from '#kernel/database/statements/single-statements.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { FirstUsesService } from './first-uses.service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('a reuse is noticed even if the clock of the machine was set back after the first use', async () => {
  let settledAt = new Date(0);
  const run = (_statement: unknown, [, at]: [number, Date]): Promise<void> => {
    settledAt = at;
    return Promise.resolve();
  };
  const uses = new FirstUsesService({ run } as unknown as SingleStatements);
  const arrive = (): RequestContext =>
    ({ arrivedAt: Date.now(), startedAt: performance.now() }) as unknown as RequestContext;
  const racing = arrive();
  await uses.settle('oauth_tokens', 1);
  const anHourAgo = Date.now() - 3_600_000;
  jest.spyOn(Date, 'now').mockReturnValue(anHourAgo);
  const comesAgain = (request: RequestContext): boolean =>
    requestContext.run(request, () => uses.cameAgain('oauth_tokens', 1, settledAt));
  expect([comesAgain(racing), comesAgain(arrive())]).toEqual([false, true]);
});
