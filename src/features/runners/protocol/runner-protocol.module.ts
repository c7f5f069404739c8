import { Module } from '@nestjs/common';
import { CiModule } from '#core/ci/ci.module.js';
import { CiRunnersModule } from '#core/ci/runners/ci-runners.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { JobFinish } from './jobs/job-finish.js';
import { JobHandOut } from './jobs/job-hand-out.js';
import { JobRequestController } from './jobs/job-request.controller.js';
import { JobUpdatesController } from './jobs/job-updates.controller.js';
import { TraceCheck } from './jobs/trace-check.js';
import { TracePatches } from './jobs/trace-patches.js';
import { DebugTraces } from './payload/debug-traces.js';
import { Dependencies } from './payload/dependencies.js';
import { JobPayload } from './payload/job-payload.js';
import { PipelineRefs } from './refs/pipeline-refs.js';
import { RegistrationPlaces } from './registration/registration-places.js';
import { RegistrationController } from './registration/registration.controller.js';
import { RunnerCredential } from './runner-credential.js';
import { RunnerPresence } from './runner-presence.js';

/** What runners speak with the service: they register, ask for jobs, and tell how these go on. */
@Module({
  imports: [CiModule, CiRunnersModule, InstanceModule, RepositoriesModule],
  controllers: [RegistrationController, JobRequestController, JobUpdatesController],
  providers: [
    RunnerCredential,
    RunnerPresence,
    RegistrationPlaces,
    JobHandOut,
    JobFinish,
    TraceCheck,
    TracePatches,
    JobPayload,
    DebugTraces,
    Dependencies,
    PipelineRefs,
  ],
})
export class RunnerProtocolModule {}
