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
import { AvatarCopy } from './avatar-copy.js';
import { ChildrenCopy } from './members/children-copy.js';
import { Destinations } from './destinations.js';
import { GroupAttributes } from './settings/group-attributes.js';
import { GroupShell } from './shells/group-shell.js';
import { Importers } from './importers.js';
import { MembersCopy } from './members/members-copy.js';
import { ProjectSettingsCopy } from './settings/project-settings.js';
import { ProjectShell } from './shells/project-shell.js';
import { RepositoryCopy } from './repositories/repository-copy.js';
import { SnippetsCopy } from './repositories/snippets-copy.js';
import { V4Steps } from './v4-steps.js';

/** Shells, members, children and repositories of what is migrated. */
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
    { provide: SpecialSteps, useClass: V4Steps },
    AvatarCopy,
    ChildrenCopy,
    Destinations,
    GroupAttributes,
    GroupShell,
    Importers,
    MembersCopy,
    ProjectSettingsCopy,
    ProjectShell,
    RepositoryCopy,
    SnippetsCopy,
  ],
  exports: [SpecialSteps],
})
export class BulkImportStepsModule {}
