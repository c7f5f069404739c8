import { Injectable } from '@nestjs/common';
import type { UserCaller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { bothDone, NoteCommandsRegistry, NOTHING_DONE, type CommandsDone } from './note-commands.registry.js';
import type { NoteRow } from './note.record.js';
import type { Noteable } from './noteables/noteable.js';
import { NotesService, type NewNote } from './notes.service.js';
import { lockNoteable } from './noteables/noteable-lock.js';

/** What somebody has said: a note, unless it was commands alone, and what these have done. */
export interface WrittenNote {
  /** Null where nothing was left to be written. */
  readonly row: NoteRow | null;
  readonly done: CommandsDone;
}

/** Writes what people say: commands go out of the text and are followed, in one transaction with the note. */
@Injectable()
export class WriteNote {
  constructor(
    private readonly transactions: Transactions,
    private readonly notes: NotesService,
    private readonly commands: NoteCommandsRegistry,
  ) {}

  /** @throws 403 for who may not comment, whatever the commands are; 404, 429 */
  async run(caller: UserCaller, noteable: Noteable, note: NewNote): Promise<WrittenNote> {
    await this.notes.admit(caller, noteable, note);
    const headSha = note.merge_request_diff_head_sha ?? note.merge_request_diff_sha ?? null;
    const asked = this.commands.read(note.body, { caller, thing: noteable, headSha });
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
