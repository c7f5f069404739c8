/** A user-supplied URL must not be called. The message is shown to the user and contains no address. */
export class UrlBlocked extends Error {
  override readonly name = 'UrlBlocked';

  constructor(
    reason: string,
    /** False if the same URL may be accepted later, because its host could not be resolved. */
    readonly isFinal = true,
  ) {
    super(`URL is blocked: ${reason}`);
  }
}
