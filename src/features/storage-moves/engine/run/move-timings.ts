/** Times of the engine; tests provide shorter ones. */
export class MoveTimings {
  /** A move waits so long for pushes that began before it, then it fails. */
  pushWaitMs = 30_000;
  /** Pause between two looks at them. */
  pushPollMs = 500;
  /** Progress is stored at most this often. */
  progressMs = 1_000;
  /** An owner that is read-only for no reason is given free when it has been seen so for so long. */
  strayMs = 15_000;
}
