import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IidsModule } from '#core/iids/iids.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { JobTokensModule } from '#core/repositories/job-tokens.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ArchiveFiles } from './artifacts/archive/archive-files.js';
import { ArchivesQueries } from './artifacts/archives.queries.js';
import { ArtifactStore } from './artifacts/artifact-store.js';
import { Artifact } from './artifacts/artifact.entity.js';
import { ENGINE_SERVICES } from './engine.services.js';
import { StoredJobDefinition } from './jobs/definition/job-definition.entity.js';
import { Job } from './jobs/job.entity.js';
import { JobQueries } from './jobs/job.queries.js';
import { Pipeline } from './pipelines/pipeline.entity.js';
import { PipelinesService } from './pipelines/pipelines.service.js';
import { JobPicking } from './runners/picking.js';
import { Runner } from './runners/runner.entity.js';
import { RunnerContacts } from './runners/runner-contacts.js';
import { AnswerJobTokens } from './tokens/answer-job-tokens.js';
import { JobCredential } from './tokens/job-credential.js';
import { TraceListener } from './traces/trace.listener.js';
import { TracesService } from './traces/traces.service.js';
import { CiVariables } from './variables/ci-variables.js';

const services = [
  ...ENGINE_SERVICES,
  PipelinesService,
  JobQueries,
  CiVariables,
  JobCredential,
  RunnerContacts,
  JobPicking,
  TracesService,
  ArtifactStore,
  ArchiveFiles,
  ArchivesQueries,
];

/** What everything of CI stands on: pipelines and jobs, how they go forward, who may use the token of a job. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Pipeline, Job, StoredJobDefinition, Runner, Artifact]),
    IidsModule,
    InstanceModule,
    ProtectionModule,
    JobTokensModule,
    RepositoriesModule,
  ],
  providers: [...services, AnswerJobTokens, TraceListener],
  exports: [...services, RepositoriesModule, IidsModule],
})
export class CiModule {}
