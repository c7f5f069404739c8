import { Module } from '@nestjs/common';
import { VersionController } from './version.controller.js';
import { Settings } from './settings.service.js';

/** The instance itself: settings, plan, feature flags. */
@Module({ controllers: [VersionController], providers: [Settings], exports: [Settings] })
export class InstanceModule {}
