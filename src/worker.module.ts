import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { Config } from '#kernel/config/config.js';
import { ExceptionToJson } from '#kernel/http/exception.filter.js';
import { RunBackfillsProcessor } from '#kernel/backfills/run-backfills.processor.js';
import { RemoveObjectsProcessor } from '#kernel/object-storage/claims/remove-objects.processor.js';
import { SweepUploadsProcessor } from '#kernel/object-storage/uploads/sweep-uploads.processor.js';
import { KernelModule } from '#kernel/kernel.module.js';
import { SendMailProcessor } from '#kernel/mail/send-mail.processor.js';
import { AnalyzeLoadedProcessor } from '#kernel/statistics/analyze-loaded.processor.js';
import { QueueWorkerModule, type ProcessorClass } from '#kernel/queue/queue-worker.module.js';
import { PruneAuditEventsProcessor } from '#core/audit/prune-audit-events.processor.js';
import { StartChildProcessor } from '#core/ci/bridges/start-child.processor.js';
import { FollowChildProcessor } from '#core/ci/bridges/follow-child.processor.js';
import { UnlockPipelinesProcessor } from '#core/ci/locking/unlock-pipelines.processor.js';
import { CreatePushPipelineProcessor } from '#core/ci/pushes/create-push-pipeline.processor.js';
import { FreeResourceProcessor } from '#core/ci/resources/free-resource.processor.js';
import { WatchJobsProcessor } from '#core/ci/watch/watch-jobs.processor.js';
import { UnlockUnkeptProcessor } from '#core/ci/locking/unlock-unkept.processor.js';
import { CancelAfterFailureProcessor } from '#core/ci/redundancy/cancel-after-failure.processor.js';
import { CancelPipelinesProcessor } from '#core/ci/redundancy/cancel-pipelines.processor.js';
import { CancelRedundantProcessor } from '#core/ci/redundancy/cancel-redundant.processor.js';
import { CreateMergeRequestPipelineProcessor } from '#core/merge-requests/pipelines/create-merge-request-pipeline.processor.js';
import { FollowHeadPipelineProcessor } from '#core/merge-requests/pipelines/follow-head-pipeline.processor.js';
import { StartDelayedProcessor } from '#core/ci/watch/start-delayed.processor.js';
import { RequestLinkProcessor } from '#core/emails/links/request-link.processor.js';
import { ArchiveTraceProcessor } from '#core/ci/traces/archive-trace.processor.js';
import { DeleteDueEnvironmentsProcessor } from '#core/environments/cleanup/delete-due-environments.processor.js';
import { StopDueEnvironmentsProcessor } from '#core/environments/stop/stop-due-environments.processor.js';
import { ApplyLicensesProcessor } from '#core/instance/licenses/apply-licenses.processor.js';
import { DeleteGroupProcessor } from '#core/groups/deletion/delete-group.processor.js';
import { DeleteUserProcessor } from '#core/users/removal/delete-user.processor.js';
import { PruneGroupLinksProcessor } from '#core/groups/shares/prune-group-links.processor.js';
import { FoldTalliesProcessor } from '#core/issuables/tallies/fold-tallies.processor.js';
import { TellMemberExpiryProcessor } from '#core/members/expiry/tell-member-expiry.processor.js';
import { PruneMembersProcessor } from '#core/members/expiry/prune-members.processor.js';
import { DeleteProjectProcessor } from '#core/projects/deletion/delete-project.processor.js';
import { MeasureRepositoryProcessor } from '#core/repositories/measure/measure-repository.processor.js';
import { KeepCommitsProcessor } from '#core/repositories/keep-around/keep-commits.processor.js';
import { RecoverPushesProcessor } from '#core/repositories/pushes/recovery/recover-pushes.processor.js';
import { CopyForkProcessor } from '#core/repositories/forks/copy-fork.processor.js';
import { RemoveRepositoriesProcessor } from '#core/repositories/removal/remove-repositories.processor.js';
import { MarkRepositoriesProcessor } from '#core/repositories/storages/mark-repositories.processor.js';
import { SweepRepositoriesProcessor } from '#core/repositories/storages/sweep-repositories.processor.js';
import { PruneBotsProcessor } from '#core/resource-tokens/expiry/prune-bots.processor.js';
import { TellResourceTokenExpiryProcessor } from '#core/resource-tokens/expiry/tell-resource-token-expiry.processor.js';
import { PruneOauthTokensProcessor } from '#core/oauth-tokens/prune-oauth-tokens.processor.js';
import { PruneUnfinishedSnippetsProcessor } from '#core/snippets/writes/prune-unfinished-snippets.processor.js';
import { WriteImportedSnippetProcessor } from '#core/snippets/exchange/write-imported-snippet.processor.js';
import { TellTokenExpiryProcessor } from '#core/tokens/expiry/tell-token-expiry.processor.js';
import { TellExpiredKeysProcessor } from '#core/users/keys/tell-expired-keys.processor.js';
import { PruneTokensProcessor } from '#core/tokens/expiry/prune-tokens.processor.js';
import { CreateBackupProcessor } from '#features/backups/create-backup.processor.js';
import { DropOlderDeploymentsProcessor } from '#features/deployments/jobs/drop-older-deployments.processor.js';
import { LinkMergeRequestsProcessor } from '#features/deployments/merge-requests/link-merge-requests.processor.js';
import { DeploymentRefsProcessor } from '#features/deployments/refs/deployment-refs.processor.js';
import { KeepDeploymentRefsProcessor } from '#features/deployments/exchange/keep-deployment-refs.processor.js';
import { PrunePipelineRefsProcessor } from '#features/runners/protocol/refs/prune-pipeline-refs.processor.js';
import { ExpireProjectArtifactsProcessor } from '#features/job-artifacts/expiry/expire-project-artifacts.processor.js';
import { RemoveExpiredArtifactsProcessor } from '#features/job-artifacts/expiry/remove-expired-artifacts.processor.js';
import { GroupEventsProcessor } from '#features/error-tracking/grouping/group-events.processor.js';
import { PruneErrorEventsProcessor } from '#features/error-tracking/retention/prune-error-events.processor.js';
import { RotateSigningKeysProcessor } from '#features/oauth/openid/keys/rotate-signing-keys.processor.js';
import { PruneEventsProcessor } from '#features/events/prune-events.processor.js';
import { RunMoveProcessor } from '#features/storage-moves/engine/run-move.processor.js';
import { ScheduleMovesProcessor } from '#features/storage-moves/schedule/schedule-moves.processor.js';
import { SweepStagingProcessor } from '#features/storage-moves/watch/sweep-staging.processor.js';
import { WatchMovesProcessor } from '#features/storage-moves/watch/watch-moves.processor.js';
import { RunRelationProcessor } from '#features/bulk-imports/engine/processors/run-relation.processor.js';
import { StartEntityProcessor } from '#features/bulk-imports/engine/processors/start-entity.processor.js';
import { StartImportProcessor } from '#features/bulk-imports/engine/processors/start-import.processor.js';
import { TidyImportsProcessor } from '#features/bulk-imports/watch/tidy-imports.processor.js';
import { WatchImportsProcessor } from '#features/bulk-imports/watch/watch-imports.processor.js';
import { CloseIncidentProcessor } from '#features/alerts/incidents/close-incident.processor.js';
import { OpenIncidentProcessor } from '#features/alerts/incidents/open-incident.processor.js';
import { PruneExportsProcessor } from '#features/relation-exports/retention/prune-exports.processor.js';
import { WriteExportProcessor } from '#features/relation-exports/writing/write-export.processor.js';
import { DeliverAlertMailProcessor } from '#features/alerts/mails/deliver-alert-mail.processor.js';
import { GatherAlertMailsProcessor } from '#features/alerts/mails/gather-alert-mails.processor.js';
import { ReadCommitsProcessor } from '#core/cross-references/read-commits.processor.js';
import { ReadTextProcessor } from '#core/cross-references/read-text.processor.js';
import { FollowBranchesProcessor } from '#core/merge-requests/code/following/follow-branches.processor.js';
import { FollowMergeRequestProcessor } from '#core/merge-requests/code/following/follow-merge-request.processor.js';
import { CloseMergedIssuesProcessor } from '#core/merge-requests/code/merging/after-merge/close-merged-issues.processor.js';
import { MergeAutomaticallyProcessor } from '#core/merge-requests/code/merging/auto-merge/merge-automatically.processor.js';
import { RecoverLockedProcessor } from '#core/merge-requests/code/merging/recovery/recover-locked.processor.js';
import { RemoveSourceBranchProcessor } from '#core/merge-requests/code/merging/after-merge/remove-source-branch.processor.js';
import { KeepHeadsProcessor } from '#core/merge-requests/exchange/keep-heads.processor.js';
import { RebaseMergeRequestProcessor } from '#core/merge-requests/code/rebasing/rebase-merge-request.processor.js';
import { DeliverNotificationProcessor } from '#features/notifications/mails/jobs/deliver-notification.processor.js';
import { FanOutProcessor } from '#features/notifications/mails/jobs/fan-out.processor.js';
import { NotifyDueIssuesProcessor } from '#features/notifications/mails/jobs/notify-due-issues.processor.js';
import { PruneSentNotificationsProcessor } from '#features/notifications/mails/jobs/prune-sent-notifications.processor.js';
import { domainModules } from './modules.js';

/** The single list of background work: every job of the product has its processor here. */
export const processors: ProcessorClass[] = [
  SendMailProcessor,
  AnalyzeLoadedProcessor,
  RunBackfillsProcessor,
  CreateBackupProcessor,
  RemoveObjectsProcessor,
  SweepUploadsProcessor,
  RequestLinkProcessor,
  ApplyLicensesProcessor,
  PruneAuditEventsProcessor,
  FoldTalliesProcessor,
  DeleteUserProcessor,
  DeleteGroupProcessor,
  DeleteProjectProcessor,
  PruneGroupLinksProcessor,
  PruneMembersProcessor,
  TellMemberExpiryProcessor,
  PruneTokensProcessor,
  TellTokenExpiryProcessor,
  TellResourceTokenExpiryProcessor,
  TellExpiredKeysProcessor,
  PruneOauthTokensProcessor,
  PruneBotsProcessor,
  MeasureRepositoryProcessor,
  CopyForkProcessor,
  RemoveRepositoriesProcessor,
  KeepCommitsProcessor,
  MarkRepositoriesProcessor,
  SweepRepositoriesProcessor,
  RecoverPushesProcessor,
  PruneUnfinishedSnippetsProcessor,
  WriteImportedSnippetProcessor,
  DeleteDueEnvironmentsProcessor,
  StopDueEnvironmentsProcessor,
  DeploymentRefsProcessor,
  KeepDeploymentRefsProcessor,
  LinkMergeRequestsProcessor,
  DropOlderDeploymentsProcessor,
  ArchiveTraceProcessor,
  PrunePipelineRefsProcessor,
  StartDelayedProcessor,
  UnlockUnkeptProcessor,
  WatchJobsProcessor,
  FreeResourceProcessor,
  CreatePushPipelineProcessor,
  UnlockPipelinesProcessor,
  FollowChildProcessor,
  StartChildProcessor,
  CancelRedundantProcessor,
  CancelPipelinesProcessor,
  CancelAfterFailureProcessor,
  CreateMergeRequestPipelineProcessor,
  FollowHeadPipelineProcessor,
  ExpireProjectArtifactsProcessor,
  RemoveExpiredArtifactsProcessor,
  RotateSigningKeysProcessor,
  PruneEventsProcessor,
  ScheduleMovesProcessor,
  RunMoveProcessor,
  SweepStagingProcessor,
  WatchMovesProcessor,
  StartImportProcessor,
  StartEntityProcessor,
  RunRelationProcessor,
  WatchImportsProcessor,
  TidyImportsProcessor,
  ReadCommitsProcessor,
  ReadTextProcessor,
  FollowBranchesProcessor,
  FollowMergeRequestProcessor,
  MergeAutomaticallyProcessor,
  RecoverLockedProcessor,
  CloseMergedIssuesProcessor,
  RemoveSourceBranchProcessor,
  RebaseMergeRequestProcessor,
  KeepHeadsProcessor,
  FanOutProcessor,
  DeliverNotificationProcessor,
  NotifyDueIssuesProcessor,
  PruneSentNotificationsProcessor,
  OpenIncidentProcessor,
  CloseIncidentProcessor,
  GatherAlertMailsProcessor,
  DeliverAlertMailProcessor,
  GroupEventsProcessor,
  PruneErrorEventsProcessor,
  WriteExportProcessor,
  PruneExportsProcessor,
];

/** Module of a process that runs jobs and serves health and metrics, nothing else. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        KernelModule.forRoot(config, databaseUrl),
        ...domainModules,
        QueueWorkerModule.register(processors, domainModules),
      ],
      providers: [{ provide: APP_FILTER, useClass: ExceptionToJson }],
    };
  }
}
