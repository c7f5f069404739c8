import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { runDeferred } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { MENTION, NoteOriginsService, type NoteOrigin } from './note-origins.service.js';
import type { Noteable } from './noteables/noteable.js';

/** That on which a note hangs. */
export type NoteTarget = Pick<Noteable, 'type' | 'projectId' | 'groupId'> & { readonly id: number };

const WRITE = `insert into notes (noteable_type, noteable_id, project_id, group_id, author_id, discussion_id, body, system, system_action)
  values ($1, $2, $3, $4, $5, $6, $7, true, $8)`;

/** The id of a discussion that begins. */
export const newDiscussionId = (): string => randomBytes(20).toString('hex');

/** Notes that the service writes about what was done. */
@Injectable()
export class SystemNotesService {
  constructor(private readonly sources: NoteOriginsService) {}

  /**
   * Writes one, in the transaction that does it and holds the lock of the thing. `action` is a word for machines such as `closed`, `body`
   * the text for people. Readers of the thing read it, so it names nothing that some of them may not see, but its `source`: who cannot read
   * that does not see the note. A source mentions a thing once. One without a source is written with whatever `tx` runs next.
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
