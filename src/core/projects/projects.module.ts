import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AnonymousListLimit } from './lists/anonymous-list-limit.js';
import { ProjectCreation } from './writes/create-project.js';
import { ProjectActionsController } from './project-actions.controller.js';
import { ProjectBeginnings } from './writes/project-beginnings.js';
import { ProjectChildren } from './deletion/project-children.js';
import { ProjectDeletion } from './deletion/project-deletion.js';
import { ProjectLanguagesController } from './project-languages.controller.js';
import { ProjectList } from './lists/project-list.js';
import { ProjectListsController } from './lists/project-lists.controller.js';
import { ProjectPeopleController } from './people/project-people.controller.js';
import { ProjectPeople } from './people/project-people.js';
import { ProjectRemoval } from './deletion/project-removal.js';
import { ProjectRules } from './project-rules.js';
import { ProjectRunnersToken } from './settings/project-runners-token.js';
import { ProjectShares } from './people/project-shares.js';
import { ProjectStars } from './people/project-stars.js';
import { ProjectWrites } from './project-writes.js';
import { Project } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsOfGroups } from './lists/projects-of-groups.js';
import { ProjectsQueries } from './projects.queries.js';
import { StorageChoice } from './writes/storage-choice.js';
import { ProjectTransfer } from './writes/transfer-project.js';
import { TransferToGroupController } from './writes/transfer-to-group.controller.js';
import { ProjectUpdate } from './writes/update-project.js';

/** What modules above use. */
const shared = [
  ProjectBeginnings,
  ProjectChildren,
  ProjectCreation,
  ProjectDeletion,
  ProjectRemoval,
  ProjectRules,
  ProjectRunnersToken,
  ProjectUpdate,
  ProjectsQueries,
  StorageChoice,
];

/** Projects. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Project]),
    AuditModule,
    AvatarsModule,
    GroupsModule,
    InstanceModule,
    MembersModule,
    UsersModule,
  ],
  controllers: [
    ProjectsController,
    ProjectListsController,
    ProjectActionsController,
    ProjectPeopleController,
    ProjectLanguagesController,
    TransferToGroupController,
  ],
  providers: [
    ...shared,
    AnonymousListLimit,
    ProjectList,
    ProjectPeople,
    ProjectShares,
    ProjectStars,
    ProjectTransfer,
    ProjectWrites,
    ProjectsOfGroups,
  ],
  exports: shared,
})
export class ProjectsModule {}
