/** Times of the engine; tests provide shorter ones. */
export class MoveTimings {
  /** How long a move waits for earlier pushes before it fails. */
  pushWaitMs = 30_000;
  /** Interval between two checks for pushes. */
  pushPollMs = 500;
  /** Minimum interval between two writes of the progress. */
  progressMs = 1_000;
  /** How long an owner must be found read-only without a reason before it is released. */
  strayMs = 15_000;
}
