import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** Tables of labeled objects in projects: their links, and the key of the object. */
const LINKS = [
  { links: 'issue_labels', key: 'issue_id', issuables: 'issues' },
  { links: 'merge_request_labels', key: 'merge_request_id', issuables: 'merge_requests' },
] as const;

/** In the order of locks; only their number comes back, since a label may be on any number of issuables. */
const HOLD = LINKS.toReversed().map(
  ({ links, key, issuables }) => `select count(*) from (
    select 1 from ${issuables} t where t.id in (select k.${key} from ${links} k where k.label_id = any($1::bigint[]))
      and ($2::bigint is null or t.project_id = $2) order by t.id for share of t) held`,
);

/** `$1`: labels to replace, `$2`: replacement, `$3`: the only project affected, or null for all. */
const RELINK = LINKS.map(
  ({ links, key, issuables }) => `with former as (delete from ${links} k using ${issuables} t
      where k.label_id = any($1::bigint[]) and t.id = k.${key} and ($3::bigint is null or t.project_id = $3) returning k.${key})
    insert into ${links} (${key}, label_id) select distinct ${key}, $2::bigint from former order by ${key} on conflict do nothing`,
);

const MOVE_PRIORITIES = `with former as (delete from label_priorities
    where label_id = any($1::bigint[]) and ($3::bigint is null or project_id = $3) returning project_id, priority)
  insert into label_priorities (project_id, label_id, priority) select project_id, $2::bigint, min(priority) from former group by project_id
  on conflict do nothing`;

const MOVE_SUBSCRIPTIONS = `with former as (delete from subscriptions
    where target_type = 'Label' and target_id = any($1::bigint[]) and project_id is not null and ($3::bigint is null or project_id = $3)
    returning user_id, project_id, subscribed)
  insert into subscriptions (user_id, target_type, target_id, project_id, subscribed)
    select user_id, 'Label', $2::bigint, project_id, bool_or(subscribed) from former group by user_id, project_id
  on conflict do nothing`;

/** Events are history: they keep the label of a group that a project has left, as long as it exists. */
const MOVE_EVENTS = 'update resource_label_events set label_id = $2 where label_id = any($1::bigint[])';

/**
 * Updates everything that refers to labels when one label replaces others; besides the owners only this
 * service writes these tables.
 */
@Injectable()
export class LabelLinksService {
  /**
   * Locks what has labels, to be called with the labels locked and before their links are removed: counters ask
   * for these locks then, and a writer of the labels of one of them holds it while waiting for its links.
   */
  async hold(tx: Tx, labelIds: readonly number[], projectId: number | null = null): Promise<void> {
    for (const statement of HOLD) await tx.query(statement, [labelIds, projectId]);
  }

  /** Replaces labels by another, for all objects or for those of one project. */
  async move(tx: Tx, from: readonly number[], to: number, projectId: number | null = null): Promise<void> {
    await this.hold(tx, from, projectId);
    for (const statement of [...RELINK, MOVE_PRIORITIES, MOVE_SUBSCRIPTIONS])
      await tx.query(statement, [from, to, projectId]);
    if (projectId === null) await tx.query(MOVE_EVENTS, [from, to]);
  }
}
