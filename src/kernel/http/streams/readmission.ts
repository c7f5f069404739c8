import type { EventTimings } from './event-timings.js';
import type { ApiRequest } from '../request.js';

/** The right of a caller to an answer that lasts: credentials are revoked and roles are lost meanwhile. */
export class Readmission {
  private readonly ask: () => Promise<void>;
  private askedAt = Date.now();

  /** @throws Error where the rule of the route does not say that its answer lasts */
  constructor(
    request: ApiRequest,
    private readonly timings: EventTimings,
  ) {
    if (!request.readmit) throw new Error(`The rule of ${request.path} does not say that its answer lasts`);
    this.ask = request.readmit;
  }

  /** Asks again with each heartbeat. @throws what a request of now would be answered */
  async keep(): Promise<void> {
    if (Date.now() - this.askedAt < this.timings.heartbeatMs) return;
    await this.ask();
    this.askedAt = Date.now();
  }
}
