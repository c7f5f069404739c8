import { Module } from '@nestjs/common';
import { AccessTokensModule } from './access-tokens/access-tokens.module.js';
import { ApplicationPagesModule } from './applications/application-pages.module.js';
import { AssetsController } from './assets/assets.controller.js';
import { BackgroundJobPagesModule } from './background-jobs/background-job-pages.module.js';
import { ConsentModule } from './consent/consent.module.js';
import { AlertIntegrationPagesModule } from './alert-integrations/alert-integration-pages.module.js';
import { AlertPagesModule } from './alerts/alert-pages.module.js';
import { ErrorTrackingPagesModule } from './error-tracking/error-tracking-pages.module.js';
import { HealthPageModule } from './instance-health/health-page.module.js';
import { MigrationPagesModule } from './bulk-imports/migration-pages.module.js';
import { NotificationPagesModule } from './notifications/notification-pages.module.js';
import { OwnPasswordModule } from './own-password/own-password.module.js';
import { SignInPagesModule } from './sign-in/sign-in-pages.module.js';
import { PasswordResetModule } from './password-reset/password-reset.module.js';
import { SecondFactorPagesModule } from './second-factor/second-factor-pages.module.js';
import { ProfileModule } from './profile/profile.module.js';
import { ProjectPagesModule } from './projects/project-pages.module.js';
import { StorageMovePagesModule } from './storage-moves/storage-move-pages.module.js';
import { UnsubscribeModule } from './unsubscribe/unsubscribe.module.js';

/** Module of all HTML pages. */
@Module({
  imports: [
    SignInPagesModule,
    SecondFactorPagesModule,
    OwnPasswordModule,
    AccessTokensModule,
    ApplicationPagesModule,
    ConsentModule,
    ProfileModule,
    AlertIntegrationPagesModule,
    AlertPagesModule,
    BackgroundJobPagesModule,
    ErrorTrackingPagesModule,
    HealthPageModule,
    MigrationPagesModule,
    NotificationPagesModule,
    PasswordResetModule,
    ProjectPagesModule,
    StorageMovePagesModule,
    UnsubscribeModule,
  ],
  controllers: [AssetsController],
})
export class WebModule {}
