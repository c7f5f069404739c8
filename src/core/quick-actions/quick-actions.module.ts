import { Module } from '@nestjs/common';
import { NotesModule } from '#core/notes/notes.module.js';
import { PlannedTargetActions } from './actions/planned-target-actions.js';
import { TalkActions } from './actions/talk-actions.js';
import { CommandRunner } from './command-runner.js';
import { DescriptionCommands } from './description-commands.js';
import { CommandReferenceFinder } from './targets/command-reference-finder.js';
import { QuickActions } from './quick-actions.js';

/** Commands in the text of notes and descriptions; whoever has things registers its own with `QuickActions`. */
@Module({
  imports: [NotesModule],
  providers: [
    CommandRunner,
    DescriptionCommands,
    CommandReferenceFinder,
    PlannedTargetActions,
    QuickActions,
    TalkActions,
  ],
  exports: [DescriptionCommands, CommandReferenceFinder, PlannedTargetActions, QuickActions, TalkActions],
})
export class QuickActionsModule {}
