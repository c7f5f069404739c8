import type { Type } from '@nestjs/common';
import { AuditModule } from '#core/audit/audit.module.js';
import { CiModule } from '#core/ci/ci.module.js';
import { CiRoutesModule } from '#core/ci/ci-routes.module.js';
import { JobTokenScopeModule } from '#core/ci/tokens/job-token-scope.module.js';
import { VariablesModule } from '#core/ci/variables/variables.module.js';
import { EmailsModule } from '#core/emails/emails.module.js';
import { EnvironmentsModule } from '#core/environments/environments.module.js';
import { GroupsModule } from '#core/groups/groups.module.js';
import { ExchangeModule } from '#core/exchange/exchange.module.js';
import { InstanceModule } from '#core/instance/instance.module.js';
import { MembersModule } from '#core/members/members.module.js';
import { OauthTokensModule } from '#core/oauth-tokens/oauth-tokens.module.js';
import { PackagesModule } from '#core/packages/packages.module.js';
import { ProjectsModule } from '#core/projects/projects.module.js';
import { CodeModule } from '#core/repositories/code.module.js';
import { RefsModule } from '#core/repositories/refs.module.js';
import { RepositoriesModule } from '#core/repositories/repositories.module.js';
import { ResourceTokensModule } from '#core/resource-tokens/resource-tokens.module.js';
import { SessionsModule } from '#core/sessions/sessions.module.js';
import { SignInModule } from '#core/sign-in/sign-in.module.js';
import { SnippetsModule } from '#core/snippets/snippets.module.js';
import { TokensModule } from '#core/tokens/tokens.module.js';
import { TwoFactorModule } from '#core/two-factor/two-factor.module.js';
import { UsersModule } from '#core/users/users.module.js';
import { WikisModule } from '#core/wikis/wikis.module.js';
import { SubscriptionsModule } from '#core/subscriptions/subscriptions.module.js';
import { LabelsModule } from '#core/labels/labels.module.js';
import { MilestonesModule } from '#core/milestones/milestones.module.js';
import { NotesModule } from '#core/notes/notes.module.js';
import { IssuablesModule } from '#core/issuables/issuables.module.js';
import { IssuesModule } from '#core/issues/issues.module.js';
import { IssueLinksModule } from '#core/issues/links/issue-links.module.js';
import { CrossReferencesModule } from '#core/cross-references/cross-references.module.js';
import { MergeRequestsModule } from '#core/merge-requests/merge-requests.module.js';
import { MergeRequestCodeModule } from '#core/merge-requests/code/merge-request-code.module.js';
import { MergeRequestPipelinesModule } from '#core/merge-requests/pipelines/merge-request-pipelines.module.js';
import { BackupsModule } from '#features/backups/backups.module.js';
import { BackgroundJobsModule } from '#features/background-jobs/background-jobs.module.js';
import { InstanceHealthModule } from '#features/instance-health/instance-health.module.js';
import { DeploymentsModule } from '#features/deployments/deployments.module.js';
import { ManagedLicensesModule } from '#features/managed-licenses/managed-licenses.module.js';
import { FreezePeriodsModule } from '#features/freeze-periods/freeze-periods.module.js';
import { GitHttpModule } from '#features/git-http/git-http.module.js';
import { JobArtifactsModule } from '#features/job-artifacts/job-artifacts.module.js';
import { ApplicationsModule } from '#features/oauth/applications/applications.module.js';
import { OauthModule } from '#features/oauth/oauth.module.js';
import { OpenidModule } from '#features/oauth/openid/openid.module.js';
import { RunnersModule } from '#features/runners/runners.module.js';
import { StorageMovesModule } from '#features/storage-moves/storage-moves.module.js';
import { EventsModule } from '#features/events/events.module.js';
import { NotificationsModule } from '#features/notifications/notifications.module.js';
import { EpicsModule } from '#features/epics/epics.module.js';
import { GroupAnalyticsModule } from '#features/group-analytics/group-analytics.module.js';
import { AlertIntegrationsModule } from '#features/alerts/integrations/alert-integrations.module.js';
import { TestAlertsModule } from '#features/alerts/integrations/testing/test-alerts.module.js';
import { AlertIntakeModule } from '#features/alerts/intake/alert-intake.module.js';
import { AlertsModule } from '#features/alerts/alerts/alerts.module.js';
import { AlertIncidentsModule } from '#features/alerts/incidents/alert-incidents.module.js';
import { ErrorTrackingSettingsModule } from '#features/error-tracking/settings/error-tracking-settings.module.js';
import { ErrorIntakeModule } from '#features/error-tracking/intake/error-intake.module.js';
import { ErrorGroupingModule } from '#features/error-tracking/grouping/error-grouping.module.js';
import { ErrorsModule } from '#features/error-tracking/errors/errors.module.js';
import { BulkImportSourceModule } from '#features/bulk-imports/source/bulk-import-source.module.js';
import { BulkImportStepsModule } from '#features/bulk-imports/steps/bulk-import-steps.module.js';
import { BulkImportEngineModule } from '#features/bulk-imports/engine/bulk-import-engine.module.js';
import { BulkImportsModule } from '#features/bulk-imports/api/bulk-imports.module.js';
import { GraphqlSourceModule } from '#features/graphql-source/graphql-source.module.js';
import { RelationExportsModule } from '#features/relation-exports/relation-exports.module.js';
import { PortsModule } from './ports.module.js';

/** The single list of core and feature modules, shared by all processes. */
export const domainModules: Type[] = [
  PortsModule,
  ExchangeModule,
  InstanceModule,
  AuditModule,
  SessionsModule,
  TokensModule,
  OauthTokensModule,
  UsersModule,
  EmailsModule,
  TwoFactorModule,
  SignInModule,
  MembersModule,
  GroupsModule,
  ProjectsModule,
  RepositoriesModule,
  WikisModule,
  RefsModule,
  CodeModule,
  SnippetsModule,
  CiModule,
  CiRoutesModule,
  VariablesModule,
  JobTokenScopeModule,
  EnvironmentsModule,
  PackagesModule,
  SubscriptionsModule,
  LabelsModule,
  MilestonesModule,
  NotesModule,
  IssuablesModule,
  IssuesModule,
  IssueLinksModule,
  MergeRequestsModule,
  MergeRequestCodeModule,
  MergeRequestPipelinesModule,
  CrossReferencesModule,
  BackgroundJobsModule,
  InstanceHealthModule,
  BackupsModule,
  DeploymentsModule,
  FreezePeriodsModule,
  ManagedLicensesModule,
  RunnersModule,
  JobArtifactsModule,
  StorageMovesModule,
  EventsModule,
  NotificationsModule,
  EpicsModule,
  GroupAnalyticsModule,
  AlertIntegrationsModule,
  AlertIntakeModule,
  TestAlertsModule,
  AlertsModule,
  AlertIncidentsModule,
  ErrorTrackingSettingsModule,
  ErrorIntakeModule,
  ErrorGroupingModule,
  ErrorsModule,
  BulkImportSourceModule,
  BulkImportStepsModule,
  BulkImportEngineModule,
  BulkImportsModule,
  RelationExportsModule,
  GraphqlSourceModule,
  ResourceTokensModule,
  OpenidModule,
  OauthModule,
  ApplicationsModule,
  GitHttpModule,
];
