import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { GroupEventsProcessor } from '#features/error-tracking/grouping/group-events.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { ErrorWorld, exceptionEvent, type WaitingRow } from '../../../support/error-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 9, 20, 12);
const iso = (time: number): string => new Date(time).toISOString();

describe('grouping of error events', () => {
  let api: TestApi;
  let world: ErrorWorld;
  const newProject = async (): Promise<number> => (await buildProjectTeam(api)).projectId;
  /** Runs the job immediately, as the queue would. */
  const runJob = async (): Promise<void> => {
    const job = api.app.get(GroupEventsProcessor, { strict: false });
    await job.process({}, { signal: new AbortController().signal } as never);
  };

  beforeAll(async () => {
    api = await borrowApi();
    world = new ErrorWorld(api);
  });
  afterAll(() => api.close());

  it('counts events, users and hours of an error, and shows the content of its last event', async () => {
    const project = await newProject();
    const at = (minutes: number, changes: Partial<WaitingRow> & { user?: object }): WaitingRow => ({
      payload: exceptionEvent('TypeError', { user: changes.user }),
      occurredAt: NOON + minutes * 60_000,
      ...changes,
    });
    await world.take(project, [
      at(59, { release: '2', environment: 'production', user: { id: 1 } }),
      at(0, { release: '1', environment: 'test', user: { id: 1 } }),
      at(30, { level: 'fatal', user: { email: 'a@example.com' } }),
    ]);
    await world.take(project, [at(61, { release: '3', user: { id: 1 } }), at(-61, { release: '0' })]);
    await world.take(project, [{ payload: { message: 'Disk full' }, level: 'warning', occurredAt: NOON }]);
    expect(await world.errors(project)).toMatchObject([
      {
        name: 'Disk full',
        level: 'warning',
        events_count: 1,
        users_count: 0,
        environment: null,
        release: null,
      },
      {
        name: 'TypeError',
        description: 'TypeError happened',
        level: 'error',
        status: 'unresolved',
        events_count: 5,
        users_count: 2,
        environment: null,
        release: '3',
        first_seen_at: new Date(NOON - 61 * 60_000),
        last_seen_at: new Date(NOON + 61 * 60_000),
      },
    ]);
    expect(await world.hours(project)).toEqual({
      'Disk full': { [iso(NOON)]: 1 },
      TypeError: { [iso(NOON - 2 * HOUR)]: 1, [iso(NOON)]: 3, [iso(NOON + HOUR)]: 1 },
    });
    expect(await world.waiting(project)).toBe(0);
  });

  it('keeps projects apart', async () => {
    const projects = [await newProject(), await newProject()];
    for (const project of projects) await world.store(project, [{ payload: exceptionEvent('A') }]);
    await world.drain();
    for (const project of projects) expect(await world.errors(project)).toMatchObject([{ events_count: 1 }]);
  });

  it('reopens a resolved error when an event was received since, and keeps an ignored one ignored', async () => {
    const project = await newProject();
    const path = `/projects/${project}/error_tracking/errors`;
    await world.take(project, [{ payload: exceptionEvent('A') }, { payload: exceptionEvent('B') }]);
    const [a, b] = await world.errors(project);
    const before = Date.now() - 60_000;
    await api.root.put(`${path}/${a?.id}`, { status: 'resolved' });
    await api.root.put(`${path}/${b?.id}`, { status: 'ignored' });
    const states = async (): Promise<string[]> => (await world.errors(project)).map(({ status }) => status);
    await world.take(project, [{ payload: exceptionEvent('A'), receivedAt: before, occurredAt: before }]);
    expect(await states()).toEqual(['resolved', 'ignored']);
    const later = Date.now() + 1_000;
    await world.take(project, [
      { payload: exceptionEvent('A'), receivedAt: later, occurredAt: before },
      { payload: exceptionEvent('B'), receivedAt: later },
    ]);
    expect(await states()).toEqual(['unresolved', 'ignored']);
    expect(await world.errors(project)).toMatchObject([{ events_count: 3 }, { events_count: 2 }]);
  });

  it('groups unreadable events into one separate error', async () => {
    const project = await newProject();
    const payloads = ['x', '[]', '{"a":', '', '"a"', '{}', exceptionEvent('A')];
    await world.take(
      project,
      payloads.map((payload) => ({ payload })),
    );
    expect(await world.errors(project)).toMatchObject([
      { name: 'A', events_count: 1 },
      { name: 'Unknown error', events_count: 1 },
      { name: 'Unreadable event', events_count: 5 },
    ]);
  });

  it('sets aside an event that the database rejects, and groups all others', async () => {
    const project = await newProject();
    await api.sql(`create function refuse_poison() returns trigger language plpgsql as $$ begin
      if new.name = 'Poison' then raise exception 'refused' using errcode = '22023'; end if; return new; end $$`);
    await api.sql(
      'create trigger refuse_poison before insert on error_tracking_errors for each row execute function refuse_poison()',
    );
    try {
      const names = ['A', 'Poison', 'B', 'A', 'Poison', 'C'];
      await world.store(
        project,
        names.map((name) => ({ payload: exceptionEvent(name) })),
      );
      await runJob();
      expect(await world.errors(project)).toMatchObject([
        { name: 'A', events_count: 2 },
        { name: 'B', events_count: 1 },
        { name: 'C', events_count: 1 },
        { name: 'Unreadable event', events_count: 2 },
      ]);
      expect(await world.waiting(project)).toBe(0);
    } finally {
      await api.sql('drop function refuse_poison() cascade');
    }
  });

  it('changes nothing if the worker is lost during a batch, and groups the batch later', async () => {
    const project = await newProject();
    await world.store(project, [{ payload: exceptionEvent('A') }, { payload: exceptionEvent('B') }]);
    await api.sql(`create function lose_worker() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); return new; end $$`);
    await api.sql(
      'create trigger lose_worker before update on error_tracking_events for each row execute function lose_worker()',
    );
    try {
      await expect(world.group()).rejects.toThrow();
      expect([await world.errors(project), await world.waiting(project)]).toEqual([[], 2]);
    } finally {
      await api.sql('drop function lose_worker() cascade');
    }
    await world.drain();
    expect(await world.errors(project)).toMatchObject([{ events_count: 1 }, { events_count: 1 }]);
  });

  it('skips locked events, and has them grouped later', async () => {
    const [busy, free] = [await newProject(), await newProject()];
    for (const project of [busy, free]) await world.store(project, [{ payload: exceptionEvent('A') }]);
    const lock = api.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    try {
      await lock.query('select 1 from projects where id = $1 for update', [busy]);
      await runJob();
      expect(await world.errors(free)).toMatchObject([{ events_count: 1 }]);
      expect([await world.errors(busy), await world.waiting(busy)]).toEqual([[], 1]);
    } finally {
      await lock.rollbackTransaction();
      await lock.release();
    }
    await until(async () => (await world.waiting(busy)) === 0);
  });

  it('counts exactly with several workers at once, on the same errors', async () => {
    const project = await newProject();
    const rows = Array.from({ length: 600 }, (_, index) => ({
      payload: exceptionEvent(`E${index % 7}`, { user: { id: index % 50 } }),
      occurredAt: NOON + (index % 3) * HOUR,
    }));
    await world.store(project, rows);
    const worker = async (limit: number): Promise<void> => {
      while ((await world.waiting(project)) > 0) await world.group(limit);
    };
    await Promise.all([worker(7), worker(20), worker(33), runJob()]);
    const expected = Array.from({ length: 7 }, (_, at) => {
      const own = rows.filter((_row, index) => index % 7 === at);
      const users = new Set(rows.flatMap((_row, index) => (index % 7 === at ? [index % 50] : [])));
      return { name: `E${at}`, events_count: own.length, users_count: users.size };
    });
    expect(await world.errors(project)).toMatchObject(expected);
    const hours = Object.values(await world.hours(project)).flatMap((counts) => Object.values(counts));
    expect([hours.length, hours.reduce((sum, count) => sum + count, 0)]).toEqual([21, 600]);
  });

  it('continues while the project is deleted', async () => {
    const team = await buildProjectTeam(api);
    await world.store(
      team.projectId,
      Array.from({ length: 300 }, (_, index) => ({ payload: exceptionEvent(`E${index % 40}`) })),
    );
    const deleted = api.root.delete(`/projects/${team.projectId}`);
    while ((await world.group(10)) > 0);
    expect((await deleted).status).toBe(202);
    await until(async () => {
      const [row] = await api.sql<{ total: number }>('select count(*) as total from projects where id = $1', [
        team.projectId,
      ]);
      return row?.total === 0;
    });
    expect([await world.errors(team.projectId), await world.waiting(team.projectId)]).toEqual([[], 0]);
  });
});
