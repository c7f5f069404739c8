import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { ErrorWorld, exceptionEvent } from '../../../support/error-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { runs } from '../../../support/runs.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 9, 20, 12);

describe('grouping of error events', () => {
  let api: TestApi;
  let world: ErrorWorld;

  beforeAll(async () => {
    api = await borrowApi();
    world = new ErrorWorld(api);
  });
  afterAll(() => api.close());

  it('has the same result as a simple model, for any order of events and any batches', async () => {
    const event = fc.record({
      name: fc.integer({ min: 0, max: 4 }),
      user: fc.option(fc.integer({ min: 0, max: 3 })),
      minutes: fc.integer({ min: -200, max: 200 }),
      release: fc.option(fc.constantFrom('1', '2', '3')),
      level: fc.constantFrom('error', 'fatal'),
    });
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.array(event, { minLength: 1, maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constantFrom('resolved', 'ignored', 'unresolved') },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        async (steps, limit) => {
          const { projectId: project } = await buildProjectTeam(api);
          const model = new PlainModel();
          for (const one of steps) {
            if (typeof one === 'string') {
              for (const { id } of await world.errors(project))
                await api.root.put(`/projects/${project}/error_tracking/errors/${id}`, { status: one });
              model.setAll(one);
              continue;
            }
            const received = Date.now() + 1;
            const rows = one.map(({ name, user, minutes, release, level }) => ({
              payload: exceptionEvent(`E${name}`, user === null ? {} : { user: { id: user } }),
              occurredAt: NOON + minutes * 60_000,
              receivedAt: received,
              release,
              level,
            }));
            await world.store(project, rows);
            await world.drain(limit);
            one.forEach((given, index) => model.add(given, rows[index]?.occurredAt ?? 0));
          }
          const seen = (await world.errors(project)).map((error) => ({
            name: error.name,
            level: error.level,
            status: error.status,
            release: error.release,
            events: error.events_count,
            users: error.users_count,
            first: error.first_seen_at.getTime(),
            last: error.last_seen_at.getTime(),
          }));
          expect(seen).toEqual(model.errors());
          expect(await world.hours(project)).toEqual(model.hours());
        },
      ),
      { numRuns: runs(25) },
    );
  });
});

interface Given {
  readonly name: number;
  readonly user: number | null;
  readonly release: string | null;
  readonly level: string;
}

/** The model: errors are lists of all their events, evaluated anew each time. */
class PlainModel {
  private readonly events: (Given & { at: number })[] = [];
  private readonly statuses = new Map<number, string>();

  add(given: Given, at: number): void {
    this.events.push({ ...given, at });
    if (this.statuses.get(given.name) !== 'ignored') this.statuses.set(given.name, 'unresolved');
  }

  setAll(status: string): void {
    for (const name of this.statuses.keys()) this.statuses.set(name, status);
  }

  errors(): object[] {
    return [...this.statuses.keys()].sort().map((name) => {
      const own = this.events.filter((event) => event.name === name);
      const last = own.reduce((latest, event) => (event.at >= latest.at ? event : latest));
      return {
        name: `E${name}`,
        level: last.level,
        status: this.statuses.get(name),
        release: last.release,
        events: own.length,
        users: new Set(own.flatMap(({ user }) => user ?? [])).size,
        first: Math.min(...own.map(({ at }) => at)),
        last: last.at,
      };
    });
  }

  hours(): Record<string, Record<string, number>> {
    const hours: Record<string, Record<string, number>> = {};
    for (const { name, at } of this.events) {
      const own = (hours[`E${name}`] ??= {});
      const hour = new Date(Math.floor(at / HOUR) * HOUR).toISOString();
      own[hour] = (own[hour] ?? 0) + 1;
    }
    return hours;
  }
}
