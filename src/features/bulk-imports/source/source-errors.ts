/** The source does not answer, or not yet: the same call may succeed later. `kind` groups repeated failures (`ops.md` 1.5 point 6). */
export class SourceBusy extends Error {
  override readonly name = 'SourceBusy';

  constructor(
    message: string,
    readonly kind: string,
    /** As the source asks, or the usual pause. */
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/** Kind of an answer that has begun, and takes longer than was allowed. */
export const LATE = 'late';

/** The source has answered something that no repetition changes; `status` is that of HTTP where there was an answer. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';

  constructor(
    message: string,
    readonly status: number | null = null,
  ) {
    super(message);
  }
}
