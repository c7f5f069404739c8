import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { inParallel, Installation, type Member } from '../support/installation.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const EVENTS = 400;
const ERRORS = 4;

describeWithRedis('a worker that is lost while it groups error events', () => {
  let redis: TestRedis | undefined;
  let installation: Installation;
  let api: Member;
  let projectId: number;
  let collector: string;
  const waiting = (): Promise<number> =>
    installation.count('select count(*) from error_tracking_events where error_id is null');
  /** Sends the event with that number, and returns the status. */
  const send = async (number: number): Promise<number> => {
    const event = {
      event_id: number.toString(16).padStart(32, '0'),
      platform: 'node',
      user: { id: number },
      exception: { values: [{ type: `Error${number % ERRORS}`, value: 'x' }] },
    };
    return (await api.client.post(collector, event)).status;
  };

  beforeEach(async () => {
    redis = await createTestRedis();
    installation = await Installation.create({ redisUrl: redis?.url });
    api = await installation.start('api');
    ({ id: projectId } = (await api.client.post<{ id: number }>('/projects', { name: 'shop' })).body);
    const path = `/projects/${projectId}/error_tracking`;
    await api.client.put(`${path}/settings`, { active: true, integrated: true });
    const [key] = (await api.client.get<{ public_key: string }[]>(`${path}/client_keys`)).body;
    collector = `/error_tracking/collector/api/${projectId}/store/?sentry_key=${key?.public_key}`;
  });
  afterEach(async () => {
    await installation.close();
    await redis?.drop();
  });

  it('kill -9 during a batch: another worker groups all of it, and counts nothing twice', async () => {
    const first = await installation.start('worker');
    expect(await send(0)).toBe(200);
    await until(async () => (await waiting()) === 0, 30_000);
    // The batch waits here, with some of its errors written.
    const release = await installation.hold('select 1 from error_tracking_errors for update');
    const statuses = await inParallel(EVENTS - 1, send, 16);
    expect(new Set(statuses)).toEqual(new Set([200]));
    await until(
      async () =>
        (await installation.count(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into error_tracking_errors%'
             and datname = current_database()`,
        )) > 0,
    );
    await first.kill();
    await release();
    await installation.start('worker');
    await until(async () => (await waiting()) === 0, 60_000);
    const errors = await installation.sql(
      'select name, events_count::int as events, users_count::int as users from error_tracking_errors order by name',
    );
    const each = EVENTS / ERRORS;
    expect(errors).toEqual(
      Array.from({ length: ERRORS }, (_, number) => ({ name: `Error${number}`, events: each, users: each })),
    );
    expect(await installation.count('select sum(events_count) from error_tracking_hours')).toBe(EVENTS);
  });
});
