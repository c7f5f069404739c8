import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ActivityPlace } from '#core/activity/activity-happened.event.js';

/** An event to be recorded. */
export interface NewEvent {
  readonly place: ActivityPlace;
  readonly authorId: number;
  readonly kind: number;
  readonly targetId: number | null;
  readonly targetIid: number | null;
  /** What readers must be able to read: the target itself, or that on which a note hangs. */
  readonly subjectId: number | null;
  /** Of a push, or of a page of a wiki; of what is gone, and of a commit, its title. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** Default: now. */
  readonly at?: Date;
}

/**
 * The project has been active, if nothing has said so within the hour. Whoever holds its row says so as well, or something graver: nobody waits
 * for it, for by now other rows are locked.
 */
const RECORD = `with active as (
    update projects set last_activity_at = $9 where id = (
      select id from projects where id = $1 and last_activity_at < $9::timestamptz - interval '1 hour' for no key update skip locked))
  insert into events (project_id, group_id, author_id, kind, target_id, target_iid, subject_id, payload, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`;

/** Records activity events, in the transactions of what they tell. */
@Injectable()
export class EventLogService {
  async record(tx: Tx, event: NewEvent): Promise<void> {
    const { place, authorId, kind, targetId, targetIid, subjectId, payload, at = new Date() } = event;
    const { projectId } = place;
    // Of a project it is the project that lists it.
    const groupId = projectId === null ? place.groupId : null;
    if (projectId === null && groupId === null) return;
    const text = payload === null ? null : JSON.stringify(payload);
    const values = [projectId, groupId, authorId, kind, targetId, targetIid, subjectId, text, at];
    await runDeferred(tx, RECORD, values);
  }
}
