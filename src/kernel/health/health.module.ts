import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthChecks } from './health-checks.js';
import { HealthMetrics } from './health-metrics.js';
import { HealthController } from './health.controller.js';
import { ShutdownState } from './shutdown-state.js';
import { StandardChecks } from './standard-checks.js';

/**
 * The probe routes of every process, and the registry of their checks. Needs Config, DataSource and
 * ObjectStorage.
 */
@Global()
@Module({
  imports: [TerminusModule],
  controllers: [HealthController],
  providers: [HealthChecks, HealthMetrics, ShutdownState, StandardChecks],
  exports: [HealthChecks, ShutdownState],
})
export class HealthModule {}
