import type { EventTimings } from './event-timings.js';
import type { ApiRequest } from '../request.js';

/**
 * Authorization of a caller during a long-lived response: credentials may be revoked and roles lost before it ends.
 */
export class Readmission {
  private readonly ask: () => Promise<void>;
  /** Monotonic: a clock that is set back must not postpone the check. */
  private askedAt = performance.now();

  /** @throws Error if the rule of the route does not declare a long-lived response */
  constructor(
    request: ApiRequest,
    private readonly timings: EventTimings,
  ) {
    if (!request.readmit) throw new Error(`The rule of ${request.path} does not say that its answer lasts`);
    this.ask = request.readmit;
  }

  /** Checks again with each heartbeat. @throws the error that a new request would get */
  async keep(): Promise<void> {
    if (performance.now() - this.askedAt < this.timings.heartbeatMs) return;
    await this.ask();
    this.askedAt = performance.now();
  }
}
