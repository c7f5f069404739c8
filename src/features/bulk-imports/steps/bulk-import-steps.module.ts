import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { SpecialSteps } from '../engine/entity-step.js';
import { SourceUsersModule } from '../engine/users/source-users.module.js';
import { CopyAvatarStep } from './copy-avatar.step.js';
import { ChildrenStep } from './members/children.step.js';
import { DestinationsService } from './destinations.service.js';
import { GroupSettingsStep } from './settings/group-settings.step.js';
import { CreateGroupStep } from './shells/create-group.step.js';
import { ImporterFinder } from './importer.finder.js';
import { MembersStep } from './members/members.step.js';
import { ProjectSettingsStep } from './settings/project-settings.step.js';
import { CreateProjectStep } from './shells/create-project.step.js';
import { NoteSourcesStep } from './note-sources.step.js';
import { RepositoryStep } from './repositories/repository.step.js';
import { SnippetsStep } from './repositories/snippets.step.js';
import { V4StepsService } from './v4-steps.service.js';

/** Shells, members, children and repositories of migrations. */
@Module({
  imports: [
    AuditModule,
    GroupsModule,
    InstanceModule,
    MembersModule,
    ProjectsModule,
    RepositoriesModule,
    SnippetsModule,
    SourceUsersModule,
  ],
  providers: [
    { provide: SpecialSteps, useClass: V4StepsService },
    CopyAvatarStep,
    ChildrenStep,
    DestinationsService,
    GroupSettingsStep,
    CreateGroupStep,
    ImporterFinder,
    MembersStep,
    NoteSourcesStep,
    ProjectSettingsStep,
    CreateProjectStep,
    RepositoryStep,
    SnippetsStep,
  ],
  exports: [SpecialSteps],
})
export class BulkImportStepsModule {}
