import { Module } from '@nestjs/common';
import { InstanceModule } from '#core/instance/instance.module.js';
import { ProtectionModule } from '#core/repositories/protection/protection.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { CiModule } from './ci.module.js';
import { CurrentJobController } from './jobs/current-job.controller.js';
import { JobActionsController } from './jobs/actions/job-actions.controller.js';
import { JobTraceService } from './jobs/job-trace.service.js';
import { JobsController } from './jobs/jobs.controller.js';
import { JobsLimit } from './jobs/actions/jobs.limit.js';
import { LintConfig } from './lint/lint-config.use-case.js';
import { LintController } from './lint/lint.controller.js';
import { LatestPipelinesService } from './pipelines/latest-pipelines.service.js';
import { PipelineActionsController } from './pipelines/pipeline-actions.controller.js';
import { PipelineJobsController } from './pipelines/pipeline-jobs.controller.js';
import { PipelinesController } from './pipelines/pipelines.controller.js';
import { PipelinesQueries } from './pipelines/pipelines.queries.js';
import { KeptReportsService } from './reports/kept-reports.service.js';
import { TestReportsQueries } from './reports/test-reports.queries.js';
import { TestReportsController } from './reports/test-reports.controller.js';
import { CommitStatusesController } from './statuses/commit-statuses.controller.js';
import { CommitStatusesQueries } from './statuses/commit-statuses.queries.js';
import { CommitStatusesService } from './statuses/commit-statuses.service.js';
import { StatusTargetFinder } from './statuses/status-target.finder.js';
import { PipelinesImporter } from './exchange/pipelines.importer.js';
import { PipelinesExchange } from './exchange/pipelines.exchange.js';

/** Jobs, pipelines and statuses of commits over the API. */
@Module({
  imports: [CiModule, InstanceModule, ProtectionModule, ExchangeModule],
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
    JobTraceService,
    JobsLimit,
    LatestPipelinesService,
    PipelinesQueries,
    CommitStatusesService,
    CommitStatusesQueries,
    StatusTargetFinder,
    KeptReportsService,
    TestReportsQueries,
    LintConfig,
    PipelinesImporter,
    PipelinesExchange,
  ],
})
export class CiRoutesModule {}
