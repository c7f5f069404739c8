import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { bothDone, NoteCommandsPort, NOTHING_DONE, type CommandsDone } from './note-commands.port.js';
import type { NoteRow } from './note.record.js';
import type { Noteable } from './noteables/noteable.js';
import { NotesService, type NewNote } from './notes.service.js';
import { lockNoteable } from './noteables/noteable-lock.js';

/** Result of writing a text: a note, unless it was only quick actions, and their results. */
export interface WrittenNote {
  /** Null if the text was only quick actions. */
  readonly row: NoteRow | null;
  readonly done: CommandsDone;
}

/** Writes notes of users: quick actions are removed from the text and run in the same transaction. */
@Injectable()
export class WriteNote {
  constructor(
    private readonly transactions: Transactions,
    private readonly notes: NotesService,
    private readonly commands: NoteCommandsPort,
  ) {}

  /** Writes a note. @throws 403 if the caller may not comment, regardless of the quick actions; 404, 429 */
  async run(caller: UserCaller, noteable: Noteable, note: NewNote): Promise<WrittenNote> {
    await this.notes.admit(caller, noteable, note);
    const headSha = note.merge_request_diff_head_sha ?? note.merge_request_diff_sha ?? null;
    const asked = this.commands.read(note.body, { caller, noteable, headSha });
    if (!asked) return { row: await this.notes.write(caller, noteable, note), done: NOTHING_DONE };
    const { row, done } = await this.transactions.together(async (tx) => {
      await lockNoteable(tx, noteable.type, noteable.id);
      const written =
        asked.text === '' ? null : await this.notes.write(caller, noteable, { ...note, body: asked.text });
      return { row: written, done: await asked.within(tx) };
    });
    return { row, done: bothDone(done, await asked.afterwards()) };
  }
}
