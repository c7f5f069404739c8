import { Module } from '@nestjs/common';
import { RunnerAdminModule } from './admin/runner-admin.module.js';

/** Runners: what they ask for themselves, and what people do with them. */
@Module({ imports: [RunnerAdminModule] })
export class RunnersModule {}
