import { Injectable, type OnModuleInit } from '@nestjs/common';
import { registerLabelledGauge } from '#kernel/log/labelled-gauge.js';
import { HealthChecks } from './health-checks.js';

/** Exports the readiness checks as metrics for alerting. */
@Injectable()
export class HealthMetrics implements OnModuleInit {
  constructor(private readonly checks: HealthChecks) {}

  onModuleInit(): void {
    registerLabelledGauge(
      'dependency_up',
      'Whether a dependency works (1) or not (0): database, migrations, redis and replica where they are used, object_storage, storage_NAME',
      'dependency',
      async () => {
        const { checks } = await this.checks.run();
        return new Map(Object.entries(checks).map(([name, { status }]) => [name, status === 'down' ? 0 : 1]));
      },
      'min',
    );
  }
}
