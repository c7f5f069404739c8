import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FeaturesController } from './features/features.controller.js';
import { FeaturesService } from './features/features.service.js';
import { FlagTargetsQueries } from './features/flag-targets.queries.js';
import { GeoNodesController } from './geo-nodes.controller.js';
import { License } from './licenses/license.entity.js';
import { LicenseInForce } from './licenses/license-in-force.js';
import { LicensesController } from './licenses/licenses.controller.js';
import { LicensesQueries } from './licenses/licenses.queries.js';
import { LicensesService } from './licenses/licenses.service.js';
import { AdjournedDeletion } from './adjourned-deletion.js';
import { CreationLimits } from './limits/creation-limits.js';
import { SettingsChange } from './settings/change-settings.js';
import { PlanLimitsController } from './limits/plan-limits.controller.js';
import { RegistrationToken } from './settings/registration-token.js';
import { SettingsController } from './settings/settings.controller.js';
import { SettingsService } from './settings/settings.service.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsQueries } from './statistics.queries.js';
import { VersionController } from './version.controller.js';

/** The instance itself: settings, plan, licences, feature flags, limits, statistics. */
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
    SettingsChange,
    AdjournedDeletion,
    CreationLimits,
    RegistrationToken,
    StatisticsQueries,
    FeaturesService,
    FlagTargetsQueries,
    LicensesQueries,
    LicensesService,
    LicenseInForce,
  ],
  exports: [SettingsService, AdjournedDeletion, CreationLimits, RegistrationToken, LicensesService],
})
export class InstanceModule {}
