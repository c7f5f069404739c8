/** Intervals of an event stream; tests provide shorter ones. */
export class EventTimings {
  /** Interval between two reads of the record. */
  pollMs = 500;
  /**
   * Interval of checking whether the caller may still watch; if there is no event, a comment keeps the
   * connection alive.
   */
  heartbeatMs = 15_000;
  /** Limit after which the client reconnects and authenticates again. */
  maxMs = 30 * 60_000;
}
