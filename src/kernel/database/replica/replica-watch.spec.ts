import { expect, it } from '@jest/globals';
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
