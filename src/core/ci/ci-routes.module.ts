import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { TransferModule } from '#core/transfer/transfer.module.js';
import { CiModule } from './ci.module.js';
import { CurrentJobController } from './jobs/current-job.controller.js';
import { JobActionsController } from './jobs/actions/job-actions.controller.js';
import { JobTrace } from './jobs/job-trace.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsLimit } from './jobs/actions/jobs-limit.js';
import { ConfigLint } from './lint/config-lint.js';
import { LintController } from './lint/lint.controller.js';
import { LatestPipelines } from './pipelines/latest-pipelines.js';
import { PipelineActionsController } from './pipelines/pipeline-actions.controller.js';
import { PipelineJobsController } from './pipelines/pipeline-jobs.controller.js';
import { PipelinesController } from './pipelines/pipelines.controller.js';
import { PipelinesQueries } from './pipelines/pipelines.queries.js';
import { KeptReports } from './reports/kept-reports.js';
import { TestReports } from './reports/test-reports.js';
import { TestReportsController } from './reports/test-reports.controller.js';
import { CommitStatusesController } from './statuses/commit-statuses.controller.js';
import { CommitStatusesQueries } from './statuses/commit-statuses.queries.js';
import { CommitStatusesService } from './statuses/commit-statuses.service.js';
import { StatusTargets } from './statuses/status-target.js';
import { PipelinesImport } from './transfer/pipelines-import.js';
import { PipelinesTransfer } from './transfer/pipelines.transfer.js';

/** Jobs, pipelines and statuses of commits over the API. */
@Module({
  imports: [CiModule, InstanceModule, ProtectionModule, TransferModule],
  controllers: [
    CurrentJobController,
    JobsController,
    JobActionsController,
    PipelinesController,
    PipelineJobsController,
    PipelineActionsController,
    TestReportsController,
    CommitStatusesController,
    LintController,
  ],
  providers: [
    JobTrace,
    JobsLimit,
    LatestPipelines,
    PipelinesQueries,
    CommitStatusesService,
    CommitStatusesQueries,
    StatusTargets,
    KeptReports,
    TestReports,
    ConfigLint,
    PipelinesImport,
    PipelinesTransfer,
  ],
})
export class CiRoutesModule {}
