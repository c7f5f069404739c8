import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Member } from '../support/installation.js';
import {
  addAda,
  FarEnd,
  migrate,
  startFilledSource,
  type FilledSource,
} from '../support/migration/far-end.js';
import { endedImport } from '../support/migration/watch-import.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

describeWithRedis('a migration that is canceled while it runs', () => {
  let source: FilledSource;
  let redis: TestRedis | undefined;
  let farEnd: FarEnd;
  let api: Member;
  beforeAll(async () => {
    redis = await createTestRedis();
    farEnd = await FarEnd.create({ redisUrl: redis?.url });
    [source, api] = await Promise.all([startFilledSource(), farEnd.start('api'), farEnd.start('worker')]);
    await addAda(api.client);
  });
  afterAll(async () => {
    await farEnd.close();
    await redis?.drop();
    await source.instance.close();
  });

  it('stops, writes nothing more, and continues when it is resumed', async () => {
    // The issues of one project wait here, with all of their writes uncommitted.
    await farEnd.installation.sql('create table gate ()');
    await farEnd.installation.sql(`
      create function wait_at_gate() returns trigger language plpgsql as $$ begin lock table gate in share mode; return null; end $$`);
    await farEnd.installation.sql(
      'create trigger wait_at_gate after insert on issues for each statement execute function wait_at_gate()',
    );
    const release = await farEnd.installation.hold('lock table gate in exclusive mode');
    const id = await migrate(api.client, source.instance.url, source.token);
    const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%issues%'`;
    await until(async () => (await farEnd.installation.count(waiting)) > 0, 60_000);
    const cancelled = api.client.post(`/bulk_imports/${id}/cancel`);
    await sleep(500);
    await release();
    expect((await cancelled).body).toMatchObject({ status: 'failed', canceled: true });
    const before = await farEnd.tally();
    expect(before['projects']).toBeGreaterThan(0);
    expect(before['issues']).toBeLessThan(Number(source.tally['issues']));
    // No job of it is left, no new one is created, and its data does not change.
    const jobs = `select count(*) from background_jobs where name like 'bulk-imports.%' and dedupe_key is distinct from 'schedule'`;
    await until(async () => (await farEnd.installation.count(jobs)) === 0, 20_000);
    await sleep(16_000);
    expect(await farEnd.tally()).toEqual(before);
    expect(await farEnd.status(id)).toBe('failed');
    const open = `select count(*) from bulk_import_relations where status in ('created', 'enqueued', 'started')`;
    expect(await farEnd.installation.count(open)).toBe(0);

    const { body } = await api.client.get<{ id: number; status: string }[]>(`/bulk_imports/${id}/entities`);
    for (const entity of body.filter(({ status }) => status === 'failed'))
      await api.client.post(`/bulk_imports/${id}/entities/${entity.id}/resume`);
    expect(await endedImport(api.client, id, 60_000)).toMatchObject({ status: 'finished', canceled: false });
    expect(await farEnd.tally()).toEqual(source.tally);
  });
});
