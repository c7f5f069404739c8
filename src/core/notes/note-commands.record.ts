import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything, Text } from '#kernel/http/fields/scalar-fields.js';
import type { CommandsDone } from './note-commands.port.js';

/** Results of a note that consisted only of quick actions (`planning.md` 5.5). */
export class NoteCommandsRecord {
  @Anything({
    description: 'Attributes of the noteable that commands changed',
    example: { state_event: 'close' },
  })
  commands_changes!: Readonly<Record<string, unknown>>;

  @List(Text(), { description: 'Results of all commands', example: ['Closed this issue.'] })
  summary!: readonly string[];
}

/** Presents the results of quick actions alone. */
export const presentNoteCommands = ({ changes, summary }: CommandsDone): NoteCommandsRecord => ({
  commands_changes: changes,
  summary,
});

/** Response of routes that write notes to quick actions alone. */
export const COMMANDS_ONLY = {
  record: NoteCommandsRecord,
  status: 202,
  description: 'There were only commands: no note was created',
} as const;
