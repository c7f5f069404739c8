import { Module } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiRunnersModule } from '#core/ci/runners/ci-runners.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { GroupRunnersController } from './group-runners.controller.js';
import { ProjectRunnersController } from './project-runners.controller.js';
import { ResetRegistrationToken } from './registration/reset-registration-token.use-case.js';
import { RegistrationTokensController } from './registration/registration-tokens.controller.js';
import { RunnerPolicy } from './runner.policy.js';
import { RunnerAudit } from './runner.audit.js';
import { RunnerChangesService } from './runner-changes.service.js';
import { CreateRunner } from './registration/create-runner.use-case.js';
import { RunnersController } from './runners.controller.js';
import { RunnersOfBotsListener } from './runners-of-bots.listener.js';
import { RunnersQueries } from './runners.queries.js';
import { UserRunnersController } from './registration/user-runners.controller.js';

/** Management of runners by users and tools. */
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
    RunnerPolicy,
    RunnerAudit,
    RunnerChangesService,
    CreateRunner,
    ResetRegistrationToken,
    RunnersQueries,
    RunnersOfBotsListener,
  ],
})
export class RunnerAdminModule {}
