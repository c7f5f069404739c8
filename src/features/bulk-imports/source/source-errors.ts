/**
 * Thrown if the source does not answer (yet): the same call may succeed later. `kind` groups repeated
 * failures (`ops.md` 1.5 point 6).
 */
export class SourceBusy extends Error {
  override readonly name = 'SourceBusy';

  constructor(
    message: string,
    readonly kind: string,
    /** The delay that the source requests, or the default. */
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/** Kind of a response that started but exceeded its time. */
export const LATE = 'late';

/**
 * Thrown for an answer that a retry would not change; `status` is the HTTP status if there was a response.
 */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused';

  constructor(
    message: string,
    readonly status: number | null = null,
  ) {
    super(message);
  }
}
