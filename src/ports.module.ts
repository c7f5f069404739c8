import { Global, Module, type Abstract, type Type } from '@nestjs/common';
import { CiModule } from '#core/ci/ci.module.js';
import { RunningJobQueries } from '#core/ci/tokens/running-job.queries.js';
import { DeploymentCheckPort } from '#core/environments/deployments/deployment-check.port.js';
import { GroupProjectsPort } from '#core/groups/group-projects.port.js';
import { IssueEpicsPort } from '#core/issues/epics/issue-epics.port.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { CollaborationQueries } from '#core/merge-requests/writes/collaboration.queries.js';
import { NoteCommandsPort } from '#core/notes/note-commands.port.js';
import { ProjectSnippetsPort } from '#core/projects/deletion/project-snippets.port.js';
import { GroupProjectsService } from '#core/projects/lists/group-projects.service.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { DefaultBranchPort } from '#core/projects/writes/default-branch.port.js';
import { InitialCommitPort } from '#core/projects/writes/initial-commit.port.js';
import { CommandRunnerService } from '#core/quick-actions/command-runner.service.js';
import { QuickActionsModule } from '#core/quick-actions/quick-actions.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { FirstReadmeService } from '#core/repositories/commits/writes/first-readme.service.js';
import { DefaultBranchRules } from '#core/repositories/effects/default-branch.rules.js';
import { JobTokensPort } from '#core/repositories/job-tokens.port.js';
import { BranchGuestsPort } from '#core/repositories/protection/branch-guests.port.js';
import { ProjectSnippetsService } from '#core/repositories/removal/project-snippets.service.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { EpicsModule } from '#features/epics/epics.module.js';
import { EpicIssuesService } from '#features/epics/issues/epic-issues.service.js';
import { FreezeEnforcementPolicy } from '#features/freeze-periods/freeze-enforcement.policy.js';
import { FreezePeriodsModule } from '#features/freeze-periods/freeze-periods.module.js';

const bind = <T>(provide: Abstract<T>, useExisting: Type<NoInfer<T>>) => ({ provide, useExisting });

/** Ports that modules declare, and the modules above them that implement these. */
const bindings = [
  bind(BranchGuestsPort, CollaborationQueries),
  bind(DefaultBranchPort, DefaultBranchRules),
  bind(DeploymentCheckPort, FreezeEnforcementPolicy),
  bind(GroupProjectsPort, GroupProjectsService),
  bind(InitialCommitPort, FirstReadmeService),
  bind(IssueEpicsPort, EpicIssuesService),
  bind(JobTokensPort, RunningJobQueries),
  bind(NoteCommandsPort, CommandRunnerService),
  bind(ProjectSnippetsPort, ProjectSnippetsService),
];

/**
 * The single place where ports are bound. It is global, since a module cannot import one above it; an unbound
 * port fails on start.
 */
@Global()
@Module({
  imports: [
    CiModule,
    CodeModule,
    EpicsModule,
    FreezePeriodsModule,
    MergeRequestsModule,
    ProjectsModule,
    QuickActionsModule,
    RepositoriesModule,
  ],
  providers: bindings,
  exports: bindings.map(({ provide }) => provide),
})
export class PortsModule {}
