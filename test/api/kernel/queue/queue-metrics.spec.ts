import { expect, it } from '@jest/globals';
import { metrics } from '#kernel/log/metrics.js';
import { describeQueue, gate } from '../../../support/queue-suite.js';
import { until } from '../../../support/until.js';

/** Value of a gauge for the queue of the tests; undefined if it has none. */
async function figure(name: string): Promise<number | undefined> {
  const found = new RegExp(`^${name}\\{queue="test"\\} (\\S+)$`, 'm').exec(await metrics.metrics());
  return found ? Number(found[1]) : undefined;
}

describeQueue('metrics of queues', (suite) => {
  it('report waiting, running, scheduled and failed jobs, and the age of the oldest waiting one', async () => {
    const { opened, open } = gate();
    suite.behave('long', () => opened);
    suite.behave('broken', () => Promise.reject(new Error('broken')));
    await suite.enqueue('broken');
    await suite.state('broken', 'failed');
    for (let index = 0; index < 14; index += 1) await suite.enqueue('long', { dedupeKey: `long ${index}` });
    await suite.enqueue('later', { delayMs: 60_000 });
    // Ten slots: four jobs wait, one of which is made to look old.
    await until(
      async () => (await suite.rows('long')).filter(({ state }) => state === 'running').length === 10,
    );
    await suite.sql(`update background_jobs set run_at = now() - interval '1 hour' where id = (select max(id)
      from background_jobs where payload ->> 'label' = 'long' and state in ('pending', 'handed'))`);
    await until(async () => ((await figure('jobs_oldest_waiting_seconds')) ?? 0) >= 3_600);
    expect(await figure('jobs_waiting')).toBe(4);
    expect(await figure('jobs_running')).toBe(10);
    expect(await figure('jobs_delayed')).toBe(1);
    expect(await figure('jobs_failed')).toBe(1);
    open();
    await until(async () => (await figure('jobs_waiting')) === 0);
  });
});
