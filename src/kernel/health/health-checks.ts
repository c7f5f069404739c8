import { Injectable } from '@nestjs/common';

/** Resolves (with an object of figures worth showing, if any) while the dependency works, and rejects when it does not. */
export type HealthIndicator = () => Promise<unknown>;

/** What readiness depends on; any module adds its own part. */
@Injectable()
export class HealthChecks {
  private readonly indicators = new Map<string, HealthIndicator>();

  /** Adds a dependency, or replaces the one of that name. */
  register(name: string, indicator: HealthIndicator): void {
    this.indicators.set(name, indicator);
  }

  /** All dependencies by name. */
  all(): ReadonlyMap<string, HealthIndicator> {
    return this.indicators;
  }
}
