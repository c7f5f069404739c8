import { ArchiveFilesService } from './artifacts/archive/archive-files.service.js';
import { ResourcesListener } from './resources/resources.listener.js';
import { LockingListener } from './locking/locking.listener.js';
import { PushesListener } from './pushes/pushes.listener.js';
import { ChildConfigsService } from './bridges/child-configs.service.js';
import { FailuresListener } from './redundancy/failures.listener.js';
import { BridgesListener } from './bridges/bridges.listener.js';
import { LostJobsService } from './watch/lost-jobs.service.js';
import { WaitingJobsService } from './watch/waiting-jobs.service.js';
import { CiProjectsQueries } from './creation/ci-projects.queries.js';
import { CreatePipelineService } from './creation/create-pipeline.service.js';
import { DotenvVariablesQueries } from './creation/dotenv-variables.queries.js';
import { JobVariablesService } from './creation/job-variables.service.js';
import { PipelineInsertionService } from './creation/pipeline-insertion.service.js';
import { PlanPipeline } from './creation/plan-pipeline.use-case.js';
import { PredefinedVariablesService } from './creation/predefined-variables.service.js';
import { JobActionsService } from './jobs/actions/job-actions.service.js';
import { EraseJob } from './jobs/actions/erase-job.use-case.js';
import { JobRefPolicy } from './jobs/actions/job-ref.policy.js';
import { SealedVariablesService } from './jobs/definition/sealed-variables.service.js';
import { MergeRequestFactsQueries } from './creation/merge-request-facts.queries.js';
import { PipelineActionsService } from './pipelines/pipeline-actions.service.js';
import { PipelineProtectionsQueries } from './pipelines/pipeline-protections.queries.js';
import { AutomaticRetryService } from './processing/automatic-retry.service.js';
import { CloneJobs } from './processing/clone-jobs.use-case.js';
import { JobGatesRegistry } from './processing/job-gates.registry.js';
import { JobStartingService } from './processing/job-starting.service.js';
import { JobTransitionsService } from './processing/job-transitions.service.js';
import { ProcessPipeline } from './processing/process-pipeline.use-case.js';
import { ResourceGroupsService } from './processing/resource-groups.service.js';
import { SkippedJobsService } from './processing/steps/skipped-jobs.service.js';

/** Services that create, process and change pipelines, for modules above. */
export const ENGINE_SERVICES = [
  ArchiveFilesService,
  ResourcesListener,
  LockingListener,
  PushesListener,
  ChildConfigsService,
  BridgesListener,
  FailuresListener,
  LostJobsService,
  AutomaticRetryService,
  CiProjectsQueries,
  CreatePipelineService,
  DotenvVariablesQueries,
  JobActionsService,
  CloneJobs,
  EraseJob,
  JobGatesRegistry,
  JobRefPolicy,
  JobStartingService,
  JobTransitionsService,
  JobVariablesService,
  MergeRequestFactsQueries,
  PipelineActionsService,
  PipelineInsertionService,
  PlanPipeline,
  ProcessPipeline,
  PipelineProtectionsQueries,
  PredefinedVariablesService,
  ResourceGroupsService,
  SealedVariablesService,
  SkippedJobsService,
  WaitingJobsService,
];
