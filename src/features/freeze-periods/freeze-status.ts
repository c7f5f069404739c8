import { isoTime } from '#kernel/http/times.js';
import { presentActive, type FreezePeriodRow, type FreezeStatusRecord } from './freeze-period.record.js';
import { freezeStatesNow } from './freeze-states.js';
import type { FreezeState, FreezeTimes, FreezeWindow } from './times/freeze-window.js';

type Times = Pick<FreezePeriodRow, 'freeze_start' | 'freeze_end' | 'cron_timezone'>;

const timesOf = (row: Times): FreezeTimes => ({
  freezeStart: row.freeze_start,
  freezeEnd: row.freeze_end,
  cronTimezone: row.cron_timezone,
});

const UNKNOWN: FreezeState = { current: null, next: null };

const statesOf = async (rows: readonly Times[]): Promise<FreezeState[]> =>
  (await freezeStatesNow(rows.map(timesOf))).map((state) => state ?? UNKNOWN);

const present = (time: number | undefined): string | null =>
  time === undefined ? null : isoTime(new Date(time));

/** Returns when all active periods have ended; null if none is active. */
export async function frozenUntil(rows: readonly Times[]): Promise<number | null> {
  return latestEnd(await statesOf(rows));
}

function latestEnd(states: readonly FreezeState[]): number | null {
  const ends = states.flatMap(({ current }) => current?.end ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Returns the reason for users why nothing is deployed. */
export const frozenReason = (until: number): string =>
  `Deployments are frozen until ${isoTime(new Date(until))}`;

/** Returns whether a project with these periods is frozen now, and the next change. */
export async function freezeStatus(rows: readonly FreezePeriodRow[]): Promise<FreezeStatusRecord> {
  const states = await statesOf(rows);
  const active = rows.flatMap((row, index) => {
    const current = states[index]?.current;
    return current ? [presentActive(row, current)] : [];
  });
  const next = states
    .flatMap((state) => state.next ?? [])
    .reduce<FreezeWindow | null>((first, one) => (first && first.start <= one.start ? first : one), null);
  return {
    frozen: active.length > 0,
    active,
    next: {
      freeze_start_at: present(next?.start),
      freeze_end_at: present(latestEnd(states) ?? next?.end),
    },
  };
}
