import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.js';
import { Installation, type Member } from '../support/installation.js';
import { until } from '../support/until.js';

const LANES = 12;
/** Within this time everything works again. */
const HEALED_MS = 60_000;

describe('a PostgreSQL that falls silent without closing its connections', () => {
  let proxy: DatabaseProxy;
  let installation: Installation;
  let product: Member;
  beforeEach(async () => {
    installation = await Installation.create();
    proxy = await startDatabaseProxy(installation.databaseUrl);
    product = await installation.start('all', { DATABASE_URL: proxy.url });
  });
  afterEach(async () => {
    await proxy.close();
    await installation.close();
  });

  /** Runs reads and writes until it is ended, and collects their statuses. */
  function load(): { readonly statuses: readonly number[]; readonly end: () => Promise<void> } {
    const statuses: number[] = [];
    let isRunning = true;
    const lane = async (number: number): Promise<void> => {
      for (let round = 0; isRunning; round += 1) {
        const { status } =
          round % 3 === 0
            ? await product.client.post('/projects', { name: `lane-${number}-${round}` })
            : await product.client.get('/projects?per_page=5');
        statuses.push(status);
        await sleep(20);
      }
    };
    const lanes = Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
    lanes.catch(() => undefined);
    const end = async (): Promise<void> => {
      isRunning = false;
      await lanes;
    };
    return { statuses, end };
  }

  it('costs reads, writes and jobs less than a minute', async () => {
    const { statuses, end } = load();
    await sleep(2_000);
    proxy.silence();
    await sleep(HEALED_MS);
    const before = statuses.length;
    await sleep(1_000);
    // Every request has been answered, late ones as documented for an unavailable database.
    expect(await Promise.race([end(), sleep(HEALED_MS, 'requests are still under way')])).toBeUndefined();
    expect(new Set([...statuses, 200, 201, 503])).toEqual(new Set([200, 201, 503]));
    expect(new Set(statuses.slice(before))).toEqual(new Set([200, 201]));
    expect((await product.client.get('/-/readiness')).status).toBe(200);
    const { body } = await product.client.post<{ id: number }>('/projects', { name: 'Afterwards' });
    expect((await product.client.delete(`/projects/${body.id}`)).status).toBe(202);
    await until(async () => (await installation.jobs()) === 0, 20_000);
    expect(await installation.count('select count(*) from projects where id = $1', [body.id])).toBe(0);
  });

  it('does not keep the process from stopping in time', async () => {
    const { end } = load();
    await sleep(2_000);
    proxy.silence();
    await sleep(500);
    // Forced at the latest, as by any statement that takes longer than the stop.
    expect([0, 1]).toContain(await product.stop());
    await end().catch(() => undefined);
  });
});
