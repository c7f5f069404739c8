import { Module } from '@nestjs/common';
import { CiModule } from '#core/ci/ci.module.js';
import { CiRunnersModule } from '#core/ci/runners/ci-runners.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { FinishJob } from './jobs/finish-job.use-case.js';
import { HandOutJob } from './jobs/hand-out-job.use-case.js';
import { JobRequestController } from './jobs/job-request.controller.js';
import { JobUpdatesController } from './jobs/job-updates.controller.js';
import { TraceCheckService } from './jobs/trace-check.service.js';
import { TracePatchesService } from './jobs/trace-patches.service.js';
import { DebugTracesService } from './payload/debug-traces.service.js';
import { JobDependenciesQueries } from './payload/job-dependencies.queries.js';
import { JobPayloadService } from './payload/job-payload.service.js';
import { PipelineRefsContribution } from './refs/pipeline-refs.contribution.js';
import { RegistrationContainersService } from './registration/registration-containers.service.js';
import { RegisteredRunnersService } from './registration/registered-runners.service.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RunnerCredentialFinder } from './runner-credential.finder.js';
import { RunnerPresenceService } from './runner-presence.service.js';

/** Protocol of runners: registration, job requests and updates. */
@Module({
  imports: [CiModule, CiRunnersModule, InstanceModule, RepositoriesModule],
  controllers: [RegistrationController, JobRequestController, JobUpdatesController],
  providers: [
    RunnerCredentialFinder,
    RunnerPresenceService,
    RegisteredRunnersService,
    RegistrationContainersService,
    HandOutJob,
    FinishJob,
    TraceCheckService,
    TracePatchesService,
    JobPayloadService,
    DebugTracesService,
    JobDependenciesQueries,
    PipelineRefsContribution,
  ],
})
export class RunnerProtocolModule {}
