import type { SubjectCaller } from '#kernel/access/caller.js';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';
import type { IssuableKind } from '../issuable-kind.js';
import type { Narrowing } from './issuable-lists.js';

const EXISTS = {
  Project: 'select 1 from milestones where id = $1 and project_id = $2',
  Group: 'select 1 from milestones where id = $1 and group_id = $2',
} as const;

/** Asserts that the caller's project or group has the milestone. @throws 404 */
export async function assertMilestone(
  database: ReadDatabase,
  { subject }: SubjectCaller,
  id: number,
): Promise<void> {
  if (!(await database.one(EXISTS[subject.kind], [id, subject.id]))) throw notFound('Milestone');
}

/** Keeps the issuables of a milestone. */
export const ofMilestone =
  ({ alias }: IssuableKind, id: number): Narrowing =>
  (query) =>
    query.where(`${alias}.milestone_id = ?`, id);
