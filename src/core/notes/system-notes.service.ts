import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { MENTION, NoteOriginsService, type NoteOrigin } from './note-origins.service.js';
import type { Noteable } from './noteables/noteable.js';

/** Noteable of a system note. */
export type NoteTarget = Pick<Noteable, 'type' | 'projectId' | 'groupId'> & { readonly id: number };

const WRITE = `insert into notes (noteable_type, noteable_id, project_id, group_id, author_id, discussion_id, body, system, system_action)
  values ($1, $2, $3, $4, $5, $6, $7, true, $8)`;

/** Generates the id of a new discussion. */
export const newDiscussionId = (): string => randomBytes(20).toString('hex');

/** Writes system notes about changes. */
@Injectable()
export class SystemNotesService {
  constructor(private readonly sources: NoteOriginsService) {}

  /**
   * Writes a system note in the transaction of the change, which holds the lock of the noteable. `action`: a
   * word for programs such as `closed`; `body`: the text for users. All readers of the noteable see it, so it
   * names only what all of them may see, except its `source`: users who cannot read that do not see the note.
   * A source mentions an object once. A note without a source is written in one round trip with the next
   * statement of `tx`.
   */
  async write(
    tx: Tx,
    target: NoteTarget,
    actorId: number | null,
    action: string,
    body: string,
    source?: NoteOrigin,
  ): Promise<void> {
    const { type, id, projectId, groupId } = target;
    const values = [type, id, projectId, groupId, actorId, newDiscussionId(), body, action];
    if (!source) return runDeferred(tx, WRITE, values);
    const [row] = await tx.query<{ id: number }[]>(`${WRITE} returning id`, values);
    if (row) await this.sources.tell(tx, row.id, target, source, action === MENTION);
  }
}
