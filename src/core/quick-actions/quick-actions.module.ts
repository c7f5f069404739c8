import { Module } from '@nestjs/common';
import { NotesModule } from '#core/notes/notes.module.js';
import { PlannedTargetActionsService } from './actions/planned-target-actions.service.js';
import { NoteableActionsService } from './actions/noteable-actions.service.js';
import { CommandRunnerService } from './command-runner.service.js';
import { DescriptionCommandsService } from './description-commands.service.js';
import { CommandReferenceFinder } from './targets/command-reference.finder.js';
import { QuickActionsRegistry } from './quick-actions.registry.js';

/** Quick actions in notes and descriptions; modules register their own with `QuickActionsRegistry`. */
@Module({
  imports: [NotesModule],
  providers: [
    CommandRunnerService,
    DescriptionCommandsService,
    CommandReferenceFinder,
    PlannedTargetActionsService,
    QuickActionsRegistry,
    NoteableActionsService,
  ],
  exports: [
    CommandRunnerService,
    DescriptionCommandsService,
    CommandReferenceFinder,
    PlannedTargetActionsService,
    QuickActionsRegistry,
    NoteableActionsService,
  ],
})
export class QuickActionsModule {}
