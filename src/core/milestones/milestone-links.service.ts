import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** `$1` the milestones to leave, `$2` the one to come to, `$3` the only project whose things are meant, or null for all. */
const RELINK = ['merge_requests', 'issues'].map(
  (things) =>
    `update ${things} set milestone_id = $2 where id in (select t.id from ${things} t where t.milestone_id = any($1::bigint[])
      and ($3::bigint is null or t.project_id = $3) order by t.id for no key update)`,
);

/** Events tell of what was done: they keep the milestone of a group that a project has left, as long as it is there. */
const MOVE_EVENTS =
  'update resource_milestone_events set milestone_id = $2 where milestone_id = any($1::bigint[])';

/** `$1` the milestone, `$2` who removes it. The things are locked, so that none of them goes meanwhile. */
const KEEP_REMOVALS = [
  ['merge_request_id', 'merge_requests'],
  ['issue_id', 'issues'],
].map(
  ([key, things]) => `insert into resource_milestone_events (${key}, user_id, milestone_id, action, state)
    select t.id, $2, $1, 'remove', t.state from ${things} t where t.milestone_id = $1 order by t.id for key share`,
);

/** What has a milestone follows when one takes the place of others: only here does anybody but their owner write these columns. */
@Injectable()
export class MilestoneLinksService {
  /** Puts a milestone in the place of others, on all that has them or on what a project has. */
  async move(tx: Tx, from: readonly number[], to: number, projectId: number | null = null): Promise<void> {
    if (from.length === 0) return;
    for (const statement of RELINK) await tx.query(statement, [from, to, projectId]);
    if (projectId === null) await tx.query(MOVE_EVENTS, [from, to]);
  }

  /** Keeps that whatever has the milestone loses it; call it under its lock, before it is removed. */
  async leave(tx: Tx, milestoneId: number, actorId: number): Promise<void> {
    for (const statement of KEEP_REMOVALS) await tx.query(statement, [milestoneId, actorId]);
  }
}
