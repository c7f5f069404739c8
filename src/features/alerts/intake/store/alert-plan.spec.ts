import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AlertStatus } from '../../alert-values.js';
import type { IncomingAlert } from '../formats/incoming-alert.js';
import {
  isSameResolution,
  planAlerts,
  type AlertPlan,
  type SourcedAlert,
  type StoredAlert,
} from './alert-plan.js';

const NOW = new Date('2026-03-04T12:00:00Z');
const at = (minute: number): Date => new Date(NOW.getTime() + minute * 60_000);

interface Told {
  readonly fingerprint?: string;
  readonly projectId?: number;
  readonly start?: Date | null;
  readonly ended?: IncomingAlert['ended'];
}

const told = ({ fingerprint = 'f', projectId = 1, start = null, ended = null }: Told): SourcedAlert => ({
  projectId,
  integrationId: null,
  alert: { title: fingerprint, startedAt: start, ended, fingerprint } as IncomingAlert,
});

/** A model of the table after a plan, with the results: ids are assigned in order of creation. */
class Table {
  rows: StoredAlert[] = [];
  readonly events = new Map<number, number>();

  apply(items: readonly SourcedAlert[], grouping: boolean): number[] {
    const known = this.rows.filter((row) =>
      items.some(
        ({ projectId, alert }) =>
          row.projectId === projectId &&
          row.fingerprint === alert.fingerprint &&
          (row.status !== 'resolved' || (alert.ended !== null && isSameResolution(row, alert))),
      ),
    );
    const plan = planAlerts(items, known, grouping, NOW);
    const ids = this.write(plan);
    return plan.taken.map((one) => one.stored?.id ?? (ids.get(one) as number));
  }

  set(id: number, status: AlertStatus): void {
    this.rows = this.rows.map((row) => (row.id === id ? { ...row, status } : row));
  }

  private write(plan: AlertPlan): Map<unknown, number> {
    const ids = new Map<unknown, number>();
    for (const { stored, status, endedAt, events } of plan.changed) {
      const id = stored?.id ?? 0;
      this.events.set(id, (this.events.get(id) ?? 0) + events);
      this.rows = this.rows.map((row) => (row.id === id ? { ...row, status, endedAt } : row));
    }
    for (const planned of plan.created) {
      const id = this.rows.length + 1;
      const { source, title, status, grouped, stray, startedAt, endedAt } = planned;
      const { projectId, alert } = source;
      const { fingerprint } = alert;
      this.rows.push({
        id,
        iid: id,
        projectId,
        fingerprint,
        title,
        status,
        grouped,
        stray,
        startedAt,
        endedAt,
      });
      this.events.set(id, planned.events);
      ids.set(planned, id);
    }
    return ids;
  }

  get shown(): string[] {
    return this.rows.map(({ id, status }) => `${status} ${this.events.get(id) ?? 0}`);
  }
}

const FIRING = told({});
const OVER = told({ ended: { at: at(5) } });

describe('incoming alerts', () => {
  it.each(['triggered', 'acknowledged', 'ignored'] as const)(
    'increase the count of one that is %s',
    (status) => {
      const table = new Table();
      table.apply([FIRING], true);
      table.set(1, status);
      expect(table.apply([FIRING, FIRING], true)).toEqual([1, 1]);
      expect(table.shown).toEqual([`${status} 3`]);
    },
  );

  it('create another alert after the resolution', () => {
    const table = new Table();
    expect(table.apply([FIRING, OVER, FIRING, FIRING], true)).toEqual([1, 1, 2, 2]);
    expect(table.shown).toEqual(['resolved 1', 'triggered 2']);
    expect(table.rows[0]?.endedAt).toEqual(at(5));
  });

  it('are not grouped on the free plan, and all end together', () => {
    const table = new Table();
    expect(table.apply([FIRING, FIRING], false)).toEqual([1, 2]);
    expect(table.apply([FIRING, OVER], false)).toEqual([3, 3]);
    expect(table.shown).toEqual(['resolved 1', 'resolved 1', 'resolved 1']);
  });

  it('are grouped again if the plan supports grouping again', () => {
    const table = new Table();
    table.apply([FIRING, FIRING], false);
    expect(table.apply([FIRING], true)).toEqual([2]);
    expect(table.shown).toEqual(['triggered 1', 'triggered 2']);
  });

  it('are grouped with the alert that supports grouping', () => {
    const table = new Table();
    table.apply([FIRING], true);
    table.apply([FIRING], false);
    expect(table.apply([FIRING], true)).toEqual([1]);
  });

  it('are not grouped across projects and fingerprints', () => {
    const table = new Table();
    const items = [FIRING, told({ projectId: 2 }), told({ fingerprint: 'g' }), FIRING];
    expect(table.apply(items, true)).toEqual([1, 2, 3, 1]);
  });
});

describe('an earlier resolution', () => {
  const former = told({ start: at(-30), ended: { at: at(-20) } });

  it('does not end alerts that started later', () => {
    const table = new Table();
    table.apply([told({ start: at(-30) }), former, told({ start: at(-10) })], true);
    expect(table.apply([former], true)).toEqual([1]);
    expect(table.shown).toEqual(['resolved 1', 'triggered 1']);
  });

  it('is stored if its alert is unknown, and does not end alerts that started later', () => {
    const table = new Table();
    table.apply([told({ start: at(-10) })], true);
    expect(table.apply([former, former], true)).toEqual([2, 2]);
    expect(table.shown).toEqual(['triggered 1', 'resolved 1']);
  });
});

describe('a resolution of an alert that is not open', () => {
  const start = at(-30);

  it.each([
    ['the same', { start, ended: { at: at(5) } }, { start, ended: { at: at(5) } }, 1],
    ['another end', { start, ended: { at: at(5) } }, { start, ended: { at: at(6) } }, 2],
    ['another start', { start, ended: { at: at(5) } }, { start: at(-29), ended: { at: at(5) } }, 2],
    ['no start', { start, ended: { at: at(5) } }, { ended: { at: at(5) } }, 1],
    ['never a start', { ended: { at: at(5) } }, { ended: { at: at(5) } }, 1],
    ['no end', { start, ended: { at: at(5) } }, { start, ended: { at: null } }, 1],
    ['neither', { start, ended: { at: at(5) } }, { ended: { at: null } }, 1],
  ])('is stored once: %s', (_what, first, second, id) => {
    const table = new Table();
    table.apply([told(first)], true);
    expect(table.apply([told(second), told(second)], true)).toEqual([id, id]);
    expect(table.shown).toEqual(Array.from({ length: id }, () => 'resolved 1'));
  });

  it('is recognized if it has ended an alert, even without the first start', () => {
    const table = new Table();
    table.apply([told({ start })], true);
    table.apply([told({ start: at(-20) }), told({ start: at(-20), ended: { at: at(5) } })], true);
    expect(table.apply([told({ start: at(-20), ended: { at: at(5) } })], true)).toEqual([1]);
    expect(table.shown).toEqual(['resolved 2']);
  });

  it.each([1, 4])('returns the newest alert, whichever ended last (in batches of %s)', (size) => {
    const former = told({ start: at(-1), ended: { at: at(-2) } });
    const items = [FIRING, former, told({ ended: { at: at(2) } }), told({ ended: { at: null } })];
    const table = new Table();
    const answers = items.flatMap((_, from) =>
      from % size === 0 ? table.apply(items.slice(from, from + size), true) : [],
    );
    expect(answers).toEqual([1, 2, 1, 2]);
  });

  it('never starts after its end', () => {
    const table = new Table();
    table.apply([told({ ended: { at: at(-5) } }), told({ fingerprint: 'g', ended: { at: null } })], true);
    expect(table.rows.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual([
      [at(-5), at(-5)],
      [NOW, NOW],
    ]);
  });
});

describe('any sequence of payloads', () => {
  const items = fc.array(
    fc.record({
      fingerprint: fc.constantFrom('f', 'g'),
      projectId: fc.constantFrom(1, 2),
      start: fc.constantFrom(null, at(-2), at(-1)),
      ended: fc.constantFrom(null, null, null, { at: null }, { at: at(-1.5) }, { at: at(1) }, { at: at(2) }),
    }),
    { maxLength: 30 },
  );

  it('has the same result in batches of any size', () => {
    fc.assert(
      fc.property(items, fc.array(fc.integer({ min: 1, max: 7 })), fc.boolean(), (sent, sizes, grouping) => {
        const alerts = sent.map(told);
        const [single, batched] = [new Table(), new Table()];
        const answers = alerts.map((alert) => single.apply([alert], grouping)[0]);
        const inBatches: (number | undefined)[] = [];
        for (let from = 0, turn = 0; from < alerts.length; turn += 1) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? 3;
          inBatches.push(...batched.apply(alerts.slice(from, from + size), grouping));
          from += size;
        }
        expect(inBatches).toEqual(answers);
        expect([batched.rows, batched.shown]).toEqual([single.rows, single.shown]);
      }),
      { numRuns: 500 },
    );
  });

  it('counts every firing once, and leaves one open alert per identity', () => {
    fc.assert(
      fc.property(items, (sent) => {
        const table = new Table();
        table.apply(sent.map(told), true);
        const firings = sent.filter(({ ended }) => ended === null).length;
        const strays = table.rows.filter(({ stray }) => stray).length;
        const counted = [...table.events.values()].reduce((sum, events) => sum + events, 0);
        expect(counted).toBe(firings + strays);
        const open = table.rows.filter(({ status }) => status !== 'resolved');
        const kinds = new Set(open.map(({ projectId, fingerprint }) => `${projectId} ${fingerprint}`));
        expect(kinds.size).toBe(open.length);
      }),
      { numRuns: 500 },
    );
  });
});
