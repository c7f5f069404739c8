import type { IssuableKind } from '../issuable-kind.js';
import type { Narrowing } from './issuable-lists.js';

/** Keeps the issuables of a milestone. */
export const ofMilestone =
  ({ table }: IssuableKind, id: number): Narrowing =>
  (query) =>
    query.from(`select * from ${table} where milestone_id = any(array[?::bigint]) order by milestone_id`, id);
