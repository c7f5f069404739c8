import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FeaturesController } from './features/features.controller.js';
import { FeaturesService } from './features/features.service.js';
import { FlagTargetsQueries } from './features/flag-targets.queries.js';
import { GeoNodesController } from './geo-nodes.controller.js';
import { License } from './licenses/license.entity.js';
import { LicenseInForceService } from './licenses/license-in-force.service.js';
import { LicensesController } from './licenses/licenses.controller.js';
import { LicensesQueries } from './licenses/licenses.queries.js';
import { LicensesService } from './licenses/licenses.service.js';
import { AdjournedDeletionService } from './adjourned-deletion.service.js';
import { CreationLimit } from './limits/creation.limit.js';
import { ChangeSettings } from './settings/change-settings.use-case.js';
import { JobSettingsService } from './settings/job-settings.service.js';
import { ChangePlanLimits } from './limits/change-plan-limits.use-case.js';
import { PlanLimitsController } from './limits/plan-limits.controller.js';
import { RegistrationTokenService } from './settings/registration-token.service.js';
import { SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsQueries } from './statistics.queries.js';
import { VersionController } from './version.controller.js';

/** The instance itself: settings, plan, licenses, feature flags, limits, statistics. */
@Module({
  imports: [TypeOrmModule.forFeature([License])],
  controllers: [
    VersionController,
    SettingsController,
    PlanLimitsController,
    StatisticsController,
    FeaturesController,
    LicensesController,
    GeoNodesController,
  ],
  providers: [
    SettingsService,
    JobSettingsService,
    ChangePlanLimits,
    ChangeSettings,
    AdjournedDeletionService,
    CreationLimit,
    RegistrationTokenService,
    StatisticsQueries,
    FeaturesService,
    FlagTargetsQueries,
    LicensesQueries,
    LicensesService,
    LicenseInForceService,
  ],
  exports: [
    SettingsService,
    AdjournedDeletionService,
    CreationLimit,
    RegistrationTokenService,
    LicensesService,
  ],
})
export class InstanceModule {}
