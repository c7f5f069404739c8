import type { Chance } from '../hostile/chance.js';
import type { FixedDates, ModelEpic } from './epic-model.js';

const DAYS = [null, '2026-01-10', '2026-02-20', '2026-03-30', '2026-05-05'];
const FIXED = ['start_date_fixed', 'due_date_fixed'] as const;

/** Some of the fixed dates of an epic, at random. */
export function drawDates(chance: Chance): Partial<FixedDates> {
  const dates: Partial<FixedDates> = {};
  if (chance.oneIn(2)) dates.start_date_is_fixed = chance.oneIn(2);
  if (chance.oneIn(2)) dates.due_date_is_fixed = chance.oneIn(2);
  for (const name of FIXED) if (chance.oneIn(2)) dates[name] = chance.of(DAYS);
  return dates;
}

/** Whether dates differ from those of an epic. */
export const changes = (epic: ModelEpic, dates: Partial<FixedDates>): boolean =>
  Object.entries(dates).some(([name, value]) => epic[name as keyof FixedDates] !== value);

/** Whether an epic does not end before it starts, as far as both dates are fixed. */
export const inOrder = (dates: FixedDates): boolean =>
  !dates.start_date_is_fixed ||
  !dates.due_date_is_fixed ||
  dates.start_date_fixed === null ||
  dates.due_date_fixed === null ||
  dates.start_date_fixed <= dates.due_date_fixed;
