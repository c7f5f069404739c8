import { ArchiveFiles } from './artifacts/archive/archive-files.js';
import { ResourcesListener } from './resources/resources.listener.js';
import { LockingListener } from './locking/locking.listener.js';
import { PushesListener } from './pushes/pushes.listener.js';
import { ChildConfigs } from './bridges/child-config.js';
import { BridgesListener } from './bridges/bridges.listener.js';
import { LostJobs } from './watch/lost-jobs.js';
import { WaitingJobs } from './watch/waiting-jobs.js';
import { CiProjects } from './creation/ci-project.js';
import { CreatePipeline } from './creation/create-pipeline.js';
import { DotenvVariables } from './creation/dotenv-variables.js';
import { JobVariables } from './creation/job-variables.js';
import { PipelineInsertion } from './creation/pipeline-insertion.js';
import { PipelinePlanning } from './creation/pipeline-planning.js';
import { PredefinedVariables } from './creation/predefined-variables.js';
import { JobActions } from './jobs/actions/job-actions.js';
import { JobErasing } from './jobs/actions/job-erasing.js';
import { JobRefRights } from './jobs/actions/job-ref-rights.js';
import { SealedVariables } from './jobs/definition/sealed-variables.js';
import { MergeRequestFacts } from './creation/merge-request-facts.js';
import { PipelineActions } from './pipelines/pipeline-actions.js';
import { PipelineProtections } from './pipelines/pipeline-protections.js';
import { AutomaticRetry } from './processing/automatic-retry.js';
import { JobCloning } from './processing/job-cloning.js';
import { JobGates } from './processing/job-gates.js';
import { JobStarting } from './processing/job-starting.js';
import { JobTransitions } from './processing/job-transitions.js';
import { PipelineProcessing } from './processing/pipeline-processing.js';
import { ResourceGroups } from './processing/resource-groups.js';
import { SkippedJobs } from './processing/steps/skipped-jobs.js';

/** What makes pipelines, brings them forward and acts on them, for modules above. */
export const ENGINE_SERVICES = [
  ArchiveFiles,
  ResourcesListener,
  LockingListener,
  PushesListener,
  ChildConfigs,
  BridgesListener,
  LostJobs,
  AutomaticRetry,
  CiProjects,
  CreatePipeline,
  DotenvVariables,
  JobActions,
  JobCloning,
  JobErasing,
  JobGates,
  JobRefRights,
  JobStarting,
  JobTransitions,
  JobVariables,
  MergeRequestFacts,
  PipelineActions,
  PipelineInsertion,
  PipelinePlanning,
  PipelineProcessing,
  PipelineProtections,
  PredefinedVariables,
  ResourceGroups,
  SealedVariables,
  SkippedJobs,
  WaitingJobs,
];
