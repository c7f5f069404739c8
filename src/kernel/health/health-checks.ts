import { Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { redactText } from '#kernel/log/redaction.js';

/** Resolves (with an object of figures worth showing, if any) while the dependency works, and rejects when it does not. */
export type HealthIndicator = () => Promise<unknown>;

/** What became of one dependency. */
export interface HealthResult {
  readonly status: string;
  readonly [figure: string]: unknown;
}

interface Registered {
  readonly indicator: HealthIndicator;
  readonly cacheMs: number;
}

/** A dependency that says nothing for so long is down. */
const TIMEOUT_MS = 2000;
const CACHE_MS = 1000;

/** What readiness depends on; any module adds its own part. Results are kept for a moment, so that probes cost little. */
@Injectable()
export class HealthChecks {
  private readonly registered = new Map<string, Registered>();

  constructor(private readonly terminus: HealthIndicatorService) {}

  /** Adds a dependency, or replaces the one of that name. */
  register(name: string, indicator: HealthIndicator, cacheMs = CACHE_MS): void {
    this.registered.set(name, { indicator, cacheMs });
  }

  /** Asks all dependencies at once, for two seconds at most. */
  async run(): Promise<{ isReady: boolean; checks: Record<string, HealthResult> }> {
    const checks: Record<string, HealthResult> = {};
    await Promise.all(
      [...this.registered].map(async ([name, { indicator, cacheMs }]) => {
        const outcome = await this.terminus
          .check(name)
          .attempt(() => attempt(indicator))
          .withTimeout(TIMEOUT_MS)
          .cacheFor(cacheMs);
        checks[name] = outcome[name] as HealthResult;
      }),
    );
    return { isReady: Object.values(checks).every(({ status }) => status !== 'down'), checks };
  }
}

/** Messages of drivers may quote connection strings. */
async function attempt(indicator: HealthIndicator): Promise<Record<string, unknown>> {
  try {
    const figures = await indicator();
    return typeof figures === 'object' && figures !== null ? { ...figures } : {};
  } catch (error) {
    throw new Error(redactText(error instanceof Error ? error.message : 'failed', 200), { cause: error });
  }
}
