import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '#core/audit/audit.module.js';
import { ErrorTrackingClientKey } from './client-key.entity.js';
import { ClientKeysController } from './client-keys.controller.js';
import { ClientKeysService } from './client-keys.service.js';
import { ErrorTrackingSetting } from './error-tracking-setting.entity.js';
import { ErrorTrackingSettingsController } from './error-tracking-settings.controller.js';
import { ErrorTrackingSettingsService } from './error-tracking-settings.service.js';

/** Settings of error tracking, and the keys with which applications report errors. */
@Module({
  imports: [TypeOrmModule.forFeature([ErrorTrackingSetting, ErrorTrackingClientKey]), AuditModule],
  controllers: [ErrorTrackingSettingsController, ClientKeysController],
  providers: [ErrorTrackingSettingsService, ClientKeysService],
  exports: [ErrorTrackingSettingsService, ClientKeysService],
})
export class ErrorTrackingSettingsModule {}
