import type { Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { ActivityTarget } from '#core/activity/activity-happened.event.js';
import { Epic } from './epic.entity.js';
import type { EpicValuesParams } from './epics.params.js';

type Dates = Pick<Epic, 'startDateFixed' | 'startDateIsFixed' | 'dueDateFixed' | 'dueDateIsFixed'>;

/** Returns an epic as the target of activity. */
export const epicTarget = ({ id, iid, title }: Pick<Epic, 'id' | 'iid' | 'title'>): ActivityTarget => ({
  type: 'Epic',
  id,
  iid,
  title,
});

/** Returns the container of an epic for activity and notes. */
export const epicContainer = (groupId: number): { projectId: null; groupId: number } => ({
  projectId: null,
  groupId,
});

/** Locks an epic until the transaction ends. @throws 404 if it no longer exists */
export async function lockEpic(tx: Tx, id: number): Promise<Epic> {
  const epic = await tx.findOne(Epic, { where: { id }, lock: { mode: 'for_no_key_update' } });
  if (!epic) throw notFound('Epic');
  return epic;
}

/** Returns the dates that parameters set; the former names set fixed dates. */
export function datesOf(params: EpicValuesParams): Partial<Dates> {
  const dates: Partial<Dates> = {};
  const { start_date: start, end_date: end } = params;
  if (start !== undefined) Object.assign(dates, { startDateFixed: start, startDateIsFixed: true });
  if (end !== undefined) Object.assign(dates, { dueDateFixed: end, dueDateIsFixed: true });
  if (params.start_date_fixed !== undefined) dates.startDateFixed = params.start_date_fixed;
  if (params.start_date_is_fixed !== undefined) dates.startDateIsFixed = params.start_date_is_fixed;
  if (params.due_date_fixed !== undefined) dates.dueDateFixed = params.due_date_fixed;
  if (params.due_date_is_fixed !== undefined) dates.dueDateIsFixed = params.due_date_is_fixed;
  return dates;
}

/** Asserts that fixed dates are in order. @throws 400 */
export function assertInOrder({
  startDateFixed,
  startDateIsFixed,
  dueDateFixed,
  dueDateIsFixed,
}: Partial<Dates>): void {
  if (!startDateIsFixed || !dueDateIsFixed || !startDateFixed || !dueDateFixed) return;
  if (dueDateFixed < startDateFixed)
    throw invalid({ due_date_fixed: ['must be greater than or equal to start date'] });
}
