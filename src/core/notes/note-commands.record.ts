import { List } from '#kernel/http/fields/composite-fields.js';
import { Anything, Text } from '#kernel/http/fields/scalar-fields.js';
import type { CommandsDone } from './note-commands.registry.js';

/** What the commands of a text have done of which nothing else was left (`planning.md` 5.5). */
export class NoteCommandsRecord {
  @Anything({
    description: 'Attributes of the thing that commands have changed',
    example: { state_event: 'close' },
  })
  commands_changes!: Readonly<Record<string, unknown>>;

  @List(Text(), { description: 'What was done and what could not be done', example: ['Closed this issue.'] })
  summary!: readonly string[];
}

/** As the answer to commands alone shows it. */
export const presentNoteCommands = ({ changes, summary }: CommandsDone): NoteCommandsRecord => ({
  commands_changes: changes,
  summary,
});

/** What routes that write notes answer to commands alone. */
export const COMMANDS_ONLY = {
  record: NoteCommandsRecord,
  status: 202,
  description: 'There were only commands: no note has been written',
} as const;
