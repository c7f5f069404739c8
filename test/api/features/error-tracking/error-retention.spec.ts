import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ERROR_EVENTS_AT_ONCE,
  PruneErrorEventsProcessor,
} from '#features/error-tracking/retention/prune-error-events.processor.js';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { ErrorWorld, exceptionEvent, type WaitingRow } from '../../../support/error-world.js';
import { borrowApi } from '../../../support/shared-api.js';

const DAY = 86_400_000;

describe('retention of errors', () => {
  let api: TestApi;
  let world: ErrorWorld;
  const ago = (days: number, name: string): WaitingRow => ({
    payload: exceptionEvent(name, { user: { id: days } }),
    occurredAt: Date.now() - days * DAY,
    receivedAt: Date.now() - days * DAY,
  });
  const prune = (): Promise<void> =>
    api.app
      .get(PruneErrorEventsProcessor, { strict: false })
      .process({}, { signal: new AbortController().signal } as never);
  const count = async (table: string, where = 'true'): Promise<number> => {
    const [row] = await api.sql<{ total: number }>(`select count(*) as total from ${table} where ${where}`);
    return row?.total ?? 0;
  };

  beforeAll(async () => {
    api = await borrowApi();
    world = new ErrorWorld(api);
  });
  afterAll(() => api.close());

  it('removes events after 90 days, and errors without events', async () => {
    const { projectId } = await buildProjectTeam(api);
    await world.take(projectId, [
      ago(91, 'Old'),
      ago(200, 'Old'),
      ago(91, 'Mixed'),
      ago(89, 'Mixed'),
      ago(1, 'New'),
    ]);
    await prune();
    expect(await world.errors(projectId)).toMatchObject([
      { name: 'Mixed', events_count: 2, users_count: 2 },
      { name: 'New', events_count: 1 },
    ]);
    expect(await count('error_tracking_events')).toBe(2);
    expect(await count('error_tracking_hours')).toBe(2);
    expect(await count('error_tracking_error_users')).toBe(3);
    await prune();
    expect(await count('error_tracking_errors')).toBe(2);
  });

  it('processes all batches, including waiting events', async () => {
    const { projectId } = await buildProjectTeam(api);
    await world.store(
      projectId,
      Array.from({ length: 2 * ERROR_EVENTS_AT_ONCE + 1 }, (_, index) =>
        ago(91 + (index % 3), `E${index % 5}`),
      ),
    );
    await world.group(ERROR_EVENTS_AT_ONCE);
    expect(await world.errors(projectId)).toHaveLength(5);
    await prune();
    expect(await world.errors(projectId)).toEqual([]);
    expect(await count('error_tracking_events', `project_id = ${projectId}`)).toBe(0);
  });

  it('forgets by whom an error was met before, but not by how many', async () => {
    const { projectId } = await buildProjectTeam(api);
    const met = (...users: number[]): Promise<void> =>
      world.take(
        projectId,
        users.map((id) => ({ payload: exceptionEvent('Often', { user: { id } }) })),
      );
    await met(1, 2, 3);
    const [error] = await world.errors(projectId);
    const of = `error_id = ${error?.id}`;
    const age = (days: number): Promise<unknown> =>
      api.sql(`update error_tracking_error_users set seen_on = seen_on - ${days} where ${of}`);
    await age(50);
    await met(1);
    expect(await count('error_tracking_error_users', `${of} and seen_on = current_date`)).toBe(1);
    await age(51);
    await prune();
    expect(await count('error_tracking_error_users', of)).toBe(1);
    expect(await world.errors(projectId)).toMatchObject([{ events_count: 4, users_count: 3 }]);
    await met(1, 4);
    expect(await world.errors(projectId)).toMatchObject([{ events_count: 6, users_count: 4 }]);
  });

  it('keeps errors that receive events meanwhile', async () => {
    const { projectId } = await buildProjectTeam(api);
    await world.take(projectId, [ago(91, 'A')]);
    await world.store(projectId, [ago(1, 'A')]);
    await Promise.all([prune(), world.drain()]);
    await prune();
    const [error] = await world.errors(projectId);
    expect(await count('error_tracking_events', `error_id = ${error?.id}`)).toBe(1);
  });
});
