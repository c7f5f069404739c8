import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiRunnersModule } from '#core/ci/runners/ci-runners.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { GroupRunnersController } from './group-runners.controller.js';
import { ProjectRunnersController } from './project-runners.controller.js';
import { RegistrationTokensController } from './registration/registration-tokens.controller.js';
import { RunnerAccess } from './runner-access.js';
import { RunnerAudit } from './runner-audit.js';
import { RunnerChanges } from './runner-changes.js';
import { RunnerCreation } from './registration/runner-creation.js';
import { RunnersController } from './runners.controller.js';
import { RunnersOfBotsListener } from './runners-of-bots.listener.js';
import { RunnersQueries } from './runners.queries.js';
import { UserRunnersController } from './registration/user-runners.controller.js';

/** Runners as people and tools see and change them. */
@Module({
  imports: [AuditModule, CiRunnersModule, GroupsModule, InstanceModule, ProjectsModule],
  controllers: [
    RegistrationTokensController,
    RunnersController,
    ProjectRunnersController,
    GroupRunnersController,
    UserRunnersController,
  ],
  providers: [
    RunnerAccess,
    RunnerAudit,
    RunnerChanges,
    RunnerCreation,
    RunnersQueries,
    RunnersOfBotsListener,
  ],
})
export class RunnerAdminModule {}
