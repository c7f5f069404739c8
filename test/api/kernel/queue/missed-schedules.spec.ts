import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeQueue } from '../../../support/queue-suite.js';
import { until } from '../../../support/until.js';

describeQueue('schedules', (suite) => {
  const tickedAt = async (): Promise<Date | undefined> =>
    (
      await suite.sql<{ at: Date }>(
        `select scheduled_at as at from background_schedules where job = 'test.rare'`,
      )
    )[0]?.at;
  const missTick = (): Promise<unknown> =>
    suite.sql(`update background_schedules set scheduled_at = '2020-01-01' where job = 'test.rare'`);

  it('make up, once, for a tick that no worker was there for', async () => {
    await until(async () => (await tickedAt()) !== undefined);
    await sleep(500);
    expect(await suite.effects('rare')).toBe(0);
    await missTick();
    await Promise.all([suite.start(), suite.start()]);
    await until(async () => (await suite.effects('rare')) > 0);
    await suite.start();
    await sleep(2_000);
    expect(await suite.effects('rare')).toBe(1);
    expect(Date.now() - ((await tickedAt())?.getTime() ?? 0)).toBeLessThan(60_000);
  });

  it('make up for a tick that came while the database was unavailable', async () => {
    await until(async () => (await tickedAt()) !== undefined);
    await suite.sql('alter table background_schedules rename to background_schedules_away');
    // Longer than the pause between two ticks of the job that ticks each second.
    await sleep(2_000);
    await suite.sql('alter table background_schedules_away rename to background_schedules');
    await missTick();
    await until(async () => (await suite.effects('rare')) === 1, 15_000);
  });

  it('come again only once they have ended: one that hangs must not take all slots of its queue', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    suite.behave('tick', () => ended);
    await suite.state('tick', 'running');
    await sleep(3_000);
    expect(await suite.rows('tick')).toEqual([expect.objectContaining({ state: 'running' })]);
    suite.behave('tick', suite.record);
    end();
    await until(async () => (await suite.effects('tick')) > 0);
  });
});
