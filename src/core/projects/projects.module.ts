import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { AvatarsModule } from '#core/avatars/avatars.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { AnonymousListLimit } from './lists/anonymous-list.limit.js';
import { CreateProject } from './writes/create-project.use-case.js';
import { ProjectActionsController } from './project-actions.controller.js';
import { ProjectChildrenService } from './deletion/project-children.service.js';
import { DeleteProject } from './deletion/delete-project.use-case.js';
import { ProjectLanguagesController } from './project-languages.controller.js';
import { ProjectListQueries } from './lists/project-list.queries.js';
import { ProjectListsController } from './lists/project-lists.controller.js';
import { ProjectPeopleController } from './people/project-people.controller.js';
import { ProjectPeopleQueries } from './people/project-people.queries.js';
import { PurgeProjectService } from './deletion/purge-project.service.js';
import { ProjectRules } from './project.rules.js';
import { ProjectSharesService } from './people/project-shares.service.js';
import { ProjectStarsService } from './people/project-stars.service.js';
import { ProjectService } from './project.service.js';
import { Project } from './project.entity.js';
import { ProjectsController } from './projects.controller.js';
import { GroupProjectsService } from './lists/group-projects.service.js';
import { ProjectsQueries } from './projects.queries.js';
import { StorageChoiceService } from './writes/storage-choice.service.js';
import { TransferProject } from './writes/transfer-project.use-case.js';
import { TransferToGroupController } from './writes/transfer-to-group.controller.js';
import { UpdateProject } from './writes/update-project.use-case.js';

/** Providers exported to other modules. */
const shared = [
  ProjectChildrenService,
  CreateProject,
  DeleteProject,
  GroupProjectsService,
  PurgeProjectService,
  ProjectRules,
  UpdateProject,
  ProjectsQueries,
  StorageChoiceService,
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
    ProjectListQueries,
    ProjectPeopleQueries,
    ProjectSharesService,
    ProjectStarsService,
    TransferProject,
    ProjectService,
  ],
  exports: shared,
})
export class ProjectsModule {}
