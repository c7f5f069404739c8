import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** `$1`: milestones to replace, `$2`: replacement, `$3`: the only project affected, or null for all. */
const RELINK = ['merge_requests', 'issues'].map(
  (issuables) =>
    `update ${issuables} set milestone_id = $2 where id in (select t.id from ${issuables} t where t.milestone_id = any($1::bigint[])
      and ($3::bigint is null or t.project_id = $3) order by t.id for no key update)`,
);

/** Events are history: they keep the milestone of a group that a project has left, as long as it exists. */
const MOVE_EVENTS =
  'update resource_milestone_events set milestone_id = $2 where milestone_id = any($1::bigint[])';

/**
 * `$1`: the milestone, `$2`: the user who removes it. The issuables are locked, so that none is removed
 * concurrently.
 */
const KEEP_REMOVALS = [
  ['merge_request_id', 'merge_requests'],
  ['issue_id', 'issues'],
].map(
  ([key, issuables]) => `insert into resource_milestone_events (${key}, user_id, milestone_id, action, state)
    select t.id, $2, $1, 'remove', t.state from ${issuables} t where t.milestone_id = $1 order by t.id for key share`,
);

/**
 * Updates everything that refers to milestones when one replaces others; besides the owners only this service
 * writes these columns.
 */
@Injectable()
export class MilestoneLinksService {
  /** Replaces milestones by another, for all issuables or for those of one project. */
  async move(tx: Tx, from: readonly number[], to: number, projectId: number | null = null): Promise<void> {
    if (from.length === 0) return;
    for (const statement of RELINK) await tx.query(statement, [from, to, projectId]);
    if (projectId === null) await tx.query(MOVE_EVENTS, [from, to]);
  }

  /** Records that all issuables of a milestone lose it; call it under its lock, before it is removed. */
  async leave(tx: Tx, milestoneId: number, actorId: number): Promise<void> {
    for (const statement of KEEP_REMOVALS) await tx.query(statement, [milestoneId, actorId]);
  }
}
