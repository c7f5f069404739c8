import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** `$1` the milestones to leave, `$2` the one to come to, `$3` the only project whose things are meant, or null for all. */
const RELINK = ['merge_requests', 'issues'].map(
  (things) =>
    `update ${things} set milestone_id = $2 where id in (select t.id from ${things} t where t.milestone_id = any($1::bigint[])
      and ($3::bigint is null or t.project_id = $3) order by t.id for no key update)`,
);

/** What has a milestone follows when one takes the place of others: only here does anybody but their owner write these columns. */
@Injectable()
export class MilestoneLinks {
  /** Puts a milestone in the place of others, on all that has them or on what a project has. */
  async move(tx: Tx, from: readonly number[], to: number, projectId: number | null = null): Promise<void> {
    if (from.length === 0) return;
    for (const statement of RELINK) await tx.query(statement, [from, to, projectId]);
  }
}
