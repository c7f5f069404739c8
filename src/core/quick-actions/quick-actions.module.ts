import { Module } from '@nestjs/common';
import { NotesModule } from '#core/notes/notes.module.js';
import { PlannedThingActions } from './actions/planned-thing-actions.js';
import { TalkActions } from './actions/talk-actions.js';
import { CommandRunner } from './command-runner.js';
import { DescriptionCommands } from './description-commands.js';
import { NamedThings } from './named-things.js';
import { QuickActions } from './quick-actions.js';

/** Commands in the text of notes and descriptions; whoever has things registers its own with `QuickActions`. */
@Module({
  imports: [NotesModule],
  providers: [
    CommandRunner,
    DescriptionCommands,
    NamedThings,
    PlannedThingActions,
    QuickActions,
    TalkActions,
  ],
  exports: [DescriptionCommands, NamedThings, PlannedThingActions, QuickActions, TalkActions],
})
export class QuickActionsModule {}
