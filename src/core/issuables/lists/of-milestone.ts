import type { IssuableKind } from '../issuable-kind.js';
import type { Narrowing } from './issuable-lists.js';

/** Keeps the issuables of a milestone. */
export const ofMilestone =
  ({ alias }: IssuableKind, id: number): Narrowing =>
  (query) =>
    query.where(`${alias}.milestone_id = ?`, id);
