import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCrowd, NOTHING, remainsOf, type Crowd } from '../support/builders/crowd.js';
import { counted, Installation, type Member } from '../support/installation.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const PROJECTS = 60;

/** The server ends idle transactions of a stopped process after a minute; a lease of 25 s may end later. */
const PATIENCE_MS = 180_000;

/** Sessions that wait for what `hold` has locked; ticks of schedules wait for other locks now and then. */
const HELD_UP = `select count(*) from pg_stat_activity waiting join pg_stat_activity holder on holder.pid = any(pg_blocking_pids(waiting.pid))
  where waiting.datname = current_database() and holder.query = 'select 1 from projects where id = $1 for update'`;

describe('a worker that is lost while it deletes a group, embedded driver', () => specify(false));
describeWithRedis('a worker that is lost while it deletes a group, bull driver', () => specify(true));

function specify(withRedis: boolean): void {
  let redis: TestRedis | undefined;
  let installation: Installation;
  let api: Member;
  let first: Member;
  let crowd: Crowd;
  let release: () => Promise<void>;
  beforeEach(async () => {
    redis = withRedis ? await createTestRedis() : undefined;
    installation = await Installation.create({ redisUrl: redis?.url });
    api = await installation.start('api');
    crowd = await buildCrowd(installation, api, 'crowd', PROJECTS, 5_000);
    expect((await api.client.delete(`/groups/${crowd.groupId}`)).status).toBe(202);
    // The third batch of twenty waits here: the first two are already removed.
    const last = crowd.projectIds.at(-1);
    release = await installation.hold('select 1 from projects where id = $1 for update', [last]);
    first = await installation.start('worker');
  });
  afterEach(async () => {
    await installation.close();
    await redis?.drop();
  });

  it('kill -9: another worker finishes the deletion completely', async () => {
    await untilHalf();
    await first.kill();
    await release();
    const second = await installation.start('worker');
    await until(isGone, PATIENCE_MS);
    expect(await remainsOf(installation, crowd)).toEqual(NOTHING);
    // The worker counts after its commit.
    await until(async () => (await counted([second], 'jobs_total', '"groups.delete"', '"success"')) === 1);
    expect(second.output()).toContain('is gone (1)');
    expect((await api.client.post('/groups', { name: 'crowd', path: 'crowd' })).status).toBe(201);
  });

  it('SIGSTOP for 40 s, then SIGCONT: the resumed worker no longer changes anything', async () => {
    await untilHalf();
    process.kill(first.pid, 'SIGSTOP');
    const stoppedAt = Date.now();
    // The server ends the open transactions of the stopped process, as for a lost host.
    await installation.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    await release();
    const second = await installation.start('worker');
    await until(isGone, PATIENCE_MS);
    expect(await remainsOf(installation, crowd)).toEqual(NOTHING);
    const again = await api.client.post<{ id: number }>('/groups', { name: 'crowd', path: 'crowd' });
    await sleep(Math.max(0, stoppedAt + 40_000 - Date.now()));
    process.kill(first.pid, 'SIGCONT');
    await until(async () => (await first.client.get('/-/readiness')).status === 200, PATIENCE_MS);
    await sleep(2_000);
    expect(await counted([first, second], 'jobs_total', '"groups.delete"', '"success"')).toBe(1);
    expect((await api.client.get(`/groups/${again.body.id}`)).status).toBe(200);
    // It takes jobs again.
    await api.client.delete(`/groups/${again.body.id}`);
    await until(
      async () => (await counted([first, second], 'jobs_total', '"groups.delete"', '"success"')) === 2,
    );
    expect(await first.stop()).toBe(0);
  });

  const untilHalf = (): Promise<number> =>
    until(async () => {
      const left = await installation.count('select count(*) from projects');
      return left < PROJECTS && (await installation.count(HELD_UP)) > 0;
    }, PATIENCE_MS);
  const isGone = async (): Promise<boolean> =>
    (await installation.count('select count(*) from namespaces where id = $1', [crowd.groupId])) === 0 &&
    (await installation.jobs()) === 0;
}
