import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestingModule } from '@nestjs/testing';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { QueueOptions } from '#kernel/queue/queue-options.js';
import { PlainJob } from '../../../support/queue-app.js';
import { QueueSuite } from '../../../support/queue-suite.js';
import { describeWithRedis } from '../../../support/redis.js';
import { until } from '../../../support/until.js';

const JOBS = 6_000;

/** Hand-overs are checked as seldom as in production. */
const calm = { leaseMs: 25_000, handedMs: 20_000 };

describeWithRedis('a backlog of jobs, bull driver', () => {
  const suite = new QueueSuite(true);

  const enqueueMany = (app: TestingModule): Promise<void> =>
    app.get(Transactions).run((tx) =>
      app.get(Jobs).enqueueAll(
        tx,
        PlainJob,
        Array.from({ length: JOBS }, () => ({ label: 'many' })),
      ),
    );
  const count = async (where: string): Promise<number> => {
    const [row] = await suite.sql<{ count: number }>(
      `select count(*)::int as count from background_jobs where queue = 'test' and ${where}`,
    );
    return row?.count ?? 0;
  };
  const handed = (): Promise<number> => count(`state = 'handed'`);

  it('reaches Redis only as far as its workers need', async () => {
    await suite.replaceBy(await suite.start({ process: 'api', options: calm }));
    const { mostHanded } = suite.app.get(QueueOptions);
    await enqueueMany(suite.app);
    await until(async () => (await handed()) >= mostHanded);
    // Several looks at what is due.
    await sleep(3_000);
    expect(await handed()).toBe(mostHanded);
  });
});
