import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ActivityContainer } from '#core/activity/activity-happened.event.js';

/** An event to record. */
export interface NewEvent {
  readonly container: ActivityContainer;
  readonly authorId: number;
  readonly kind: number;
  readonly targetId: number | null;
  readonly targetIid: number | null;
  /** What readers must be able to read: the target itself, or the noteable of a note. */
  readonly subjectId: number | null;
  /** For a push or a wiki page; for removed objects and commits, the title. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** Default: now. */
  readonly at?: Date;
}

/**
 * Updates the activity of the project, unless it was updated within the hour. Skips a locked row, whose
 * holder does the same or something more important: waiting for it with other rows locked could deadlock.
 */
const RECORD = `with active as (
    update projects set last_activity_at = $9 where id = (
      select id from projects where id = $1 and last_activity_at < $9::timestamptz - interval '1 hour' for no key update skip locked))
  insert into events (project_id, group_id, author_id, kind, target_id, target_iid, subject_id, payload, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`;

/** Records activity events in the transactions of the activities. */
@Injectable()
export class EventLogService {
  async record(tx: Tx, event: NewEvent): Promise<void> {
    const { container, authorId, kind, targetId, targetIid, subjectId, payload, at = new Date() } = event;
    const { projectId } = container;
    // Events of a project are listed only by the project.
    const groupId = projectId === null ? container.groupId : null;
    if (projectId === null && groupId === null) return;
    const text = payload === null ? null : JSON.stringify(payload);
    const values = [projectId, groupId, authorId, kind, targetId, targetIid, subjectId, text, at];
    await runDeferred(tx, RECORD, values);
  }
}
