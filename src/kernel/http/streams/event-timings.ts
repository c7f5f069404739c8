/** Times of a stream of events; tests provide shorter ones. */
export class EventTimings {
  /** Pause between two looks at the record. */
  pollMs = 500;
  /** After so long it is asked again whether the caller may watch, and without anything to tell a comment keeps the connection alive. */
  heartbeatMs = 15_000;
  /** The client connects again after so long, and shows its credentials again. */
  maxMs = 30 * 60_000;
}
