import { Module } from '@nestjs/common';
import { ErrorsModule } from '#features/error-tracking/errors/errors.module.js';
import { ErrorTrackingSettingsModule } from '#features/error-tracking/settings/error-tracking-settings.module.js';
import { ErrorPagesController } from './error-pages.controller.js';
import { ErrorPagesQueries } from './error-pages.queries.js';
import { TrackingSettingsController } from './tracking-settings.controller.js';

/** Module of the pages of a project's errors. */
@Module({
  imports: [ErrorsModule, ErrorTrackingSettingsModule],
  controllers: [TrackingSettingsController, ErrorPagesController],
  providers: [ErrorPagesQueries],
})
export class ErrorTrackingPagesModule {}
