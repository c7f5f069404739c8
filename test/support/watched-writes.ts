import { jest } from '@jest/globals';
import pg from 'pg';
import { CountedClient } from '#kernel/database/statements/counted-client.js';
import { isInRequest } from './watched-reads.js';

/** Number of times that transactions of the requests of `work` wrote to the database and waited for its responses. */
export async function waysDuring(work: () => Promise<unknown>): Promise<number> {
  const open = new Set<unknown>();
  let ways = 0;
  /* oxlint-disable typescript/unbound-method -- called with the client that they belong to */
  const ask = CountedClient.prototype.query;
  const send = pg.Client.prototype.query;
  /* oxlint-enable typescript/unbound-method */
  const asking = jest.spyOn(CountedClient.prototype, 'query').mockImplementation(function (
    this: CountedClient,
    ...args: unknown[]
  ) {
    const [text] = args;
    if (text === 'START TRANSACTION' && isInRequest()) open.add(this);
    const result = Reflect.apply<CountedClient, unknown[], never>(ask, this, args);
    if (text === 'COMMIT' || text === 'ROLLBACK') open.delete(this);
    return result;
  });
  const sending = jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    if (open.has(this)) ways += 1;
    return Reflect.apply<pg.Client, unknown[], never>(send as never, this, args);
  });
  try {
    await work();
  } finally {
    asking.mockRestore();
    sending.mockRestore();
  }
  return ways;
}
