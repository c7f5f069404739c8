import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ArchiveFilesService } from './artifacts/archive/archive-files.service.js';
import { ArchivesQueries } from './artifacts/archives.queries.js';
import { ArtifactStoreService } from './artifacts/artifact-store.service.js';
import { Artifact } from './artifacts/artifact.entity.js';
import { ENGINE_SERVICES } from './engine.services.js';
import { StoredJobDefinition } from './jobs/definition/job-definition.entity.js';
import { Job } from './jobs/job.entity.js';
import { JobQueries } from './jobs/job.queries.js';
import { Pipeline } from './pipelines/pipeline.entity.js';
import { PipelinesService } from './pipelines/pipelines.service.js';
import { PickJob } from './runners/pick-job.use-case.js';
import { Runner } from './runners/runner.entity.js';
import { RunnerContactsService } from './runners/runner-contacts.service.js';
import { RunningJobQueries } from './tokens/running-job.queries.js';
import { JobCredentialFinder } from './tokens/job-credential.finder.js';
import { TraceListener } from './traces/trace.listener.js';
import { TracesService } from './traces/traces.service.js';
import { CiVariablesRegistry } from './variables/ci-variables.registry.js';

const services = [
  ...ENGINE_SERVICES,
  PipelinesService,
  JobQueries,
  CiVariablesRegistry,
  JobCredentialFinder,
  RunningJobQueries,
  RunnerContactsService,
  PickJob,
  TracesService,
  ArtifactStoreService,
  ArchiveFilesService,
  ArchivesQueries,
];

/** The basis of CI: pipelines and jobs, their processing, and the scope of job tokens. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Pipeline, Job, StoredJobDefinition, Runner, Artifact]),
    IidsModule,
    InstanceModule,
    ProtectionModule,
    RepositoriesModule,
  ],
  providers: [...services, TraceListener],
  exports: [...services, RepositoriesModule, IidsModule],
})
export class CiModule {}
