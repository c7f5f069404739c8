import { expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../../test/support/until.js';
import type { ReadDatabase } from '../reads/read-database.js';
import type { RecentWriters } from './recent-writers.js';
import type { PrimaryPosition, ReplicaPosition } from './replica-position.sql.js';
import type { ReplicaServer } from './replica-server.js';
import { ReplicaWatch } from './replica-watch.js';

const identity = '1/2';
const primary: PrimaryPosition = { identity, position: 100, timeline: 1, pageBytes: 8_192 };
const replica: ReplicaPosition = { identity, position: 100, timeline: 1, isStandby: true };

it('a replica whose connections all end at once is used again after one look', async () => {
  const watch = new ReplicaWatch(
    { one: () => Promise.resolve(primary) } as unknown as ReadDatabase,
    { position: () => Promise.resolve(replica), cut: () => undefined } as unknown as ReplicaServer,
    { tidy: () => Promise.resolve() } as unknown as RecentWriters,
  );
  try {
    await until(() => watch.isUsable());
    for (let read = 0; read < 20; read += 1) watch.lost(new Error('Connection terminated unexpectedly'));
    expect(watch.isUsable()).toBe(false);
    // The pause doubles with each look that fails; twenty lost reads are one loss.
    await until(() => watch.isUsable(), 4_000);
  } finally {
    await watch.close();
  }
});

it('a replica that nobody has used for an hour is not said to be that far behind', async () => {
  const real = performance.now.bind(performance);
  let skipped = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + skipped);
  let position = 100;
  let looks = 0;
  const watch = new ReplicaWatch(
    { one: () => Promise.resolve({ ...primary, position: (position += 100) }) } as unknown as ReadDatabase,
    {
      // It follows a primary that is written to, so it always lacks the newest.
      position: () => {
        looks += 1;
        return Promise.resolve({ ...replica, position: position - 100 });
      },
      cut: () => undefined,
    } as unknown as ReplicaServer,
    { tidy: () => Promise.resolve() } as unknown as RecentWriters,
  );
  try {
    await until(() => watch.isUsable(), 4_000);
    skipped = 3_600_000;
    // The look that is planned already does not take place.
    await sleep(1_200);
    const before = looks;
    expect(await watch.check()).toBeLessThan(1_000);
    expect(looks).toBe(before + 1);
    expect(watch.isUsable()).toBe(false);
    await until(() => watch.isUsable(), 4_000);
    expect(await watch.check()).toBeLessThan(2_000);
  } finally {
    await watch.close();
    clock.mockRestore();
  }
});
