import { describe, expect, it } from '@jest/globals';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { BodyBudget } from './body-budget.js';

const KIBIBYTE = 1024;

let clients = 0;

/** Uses memory for a body of that many bytes, of another client each time, until it is released. */
function hold(budget: BodyBudget, bytes: number): { readonly done: Promise<string>; letGo: () => void } {
  let letGo = (): void => undefined;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  clients += 1;
  const context = { remoteIp: `10.0.0.${clients}` } as RequestContext;
  const done = requestContext.run(context, () =>
    budget.use(async (watch) => {
      watch(bytes);
      await until;
      return 'done';
    }),
  );
  return { done, letGo };
}

describe('the shared memory for bodies', () => {
  it('is limited only for large bodies, and released afterwards', async () => {
    const budget = new BodyBudget(1000 * KIBIBYTE);
    const [first, second] = [hold(budget, 564 * KIBIBYTE), hold(budget, 500 * KIBIBYTE)];
    const refused = hold(budget, 129 * KIBIBYTE);
    await expect(refused.done).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    const small = Array.from({ length: 100 }, () => hold(budget, 64 * KIBIBYTE));
    for (const one of [second, ...small]) one.letGo();
    expect(await Promise.all([second, ...small].map(({ done }) => done))).toEqual(Array(101).fill('done'));
    const third = hold(budget, 500 * KIBIBYTE);
    first.letGo();
    third.letGo();
    expect(await Promise.all([first.done, third.done])).toEqual(['done', 'done']);
  });

  it('is released when reading fails', async () => {
    const budget = new BodyBudget(200 * KIBIBYTE);
    for (let round = 0; round < 3; round += 1) {
      const failing = budget.use((watch) => {
        watch(150 * KIBIBYTE);
        return Promise.reject(new Error('gone'));
      });
      await expect(failing).rejects.toThrow('gone');
    }
  });

  it('is limited to half for a single holder', () => {
    const budget = new BodyBudget(1000 * KIBIBYTE);
    const [first, second, other] = [budget.open('a'), budget.open('a'), budget.open('b')];
    first.watch(400 * KIBIBYTE);
    expect(() => second.watch(300 * KIBIBYTE)).toThrow(expect.objectContaining({ status: 503 }));
    second.end();
    other.watch(400 * KIBIBYTE);
    first.end();
    first.end();
    expect(() => other.watch(200 * KIBIBYTE)).toThrow(expect.objectContaining({ status: 503 }));
  });

  it('is not available to bodies that continue after they were ended', () => {
    const budget = new BodyBudget(1000 * KIBIBYTE);
    const share = budget.open('a');
    share.watch(400 * KIBIBYTE);
    share.end();
    expect(() => share.watch(400 * KIBIBYTE)).toThrow(expect.objectContaining({ status: 503 }));
    budget.open('a').watch(500 * KIBIBYTE);
  });
});
