import { Module } from '@nestjs/common';
import { InstanceHealthModule } from '#features/instance-health/instance-health.module.js';
import { HealthPageController } from './health-page.controller.js';

/** Module of the administrators' health page. */
@Module({ imports: [InstanceHealthModule], controllers: [HealthPageController] })
export class HealthPageModule {}
