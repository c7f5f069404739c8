/** A URL that somebody has given must not be called; the message is shown to them and names no address. */
export class UrlBlocked extends Error {
  override readonly name = 'UrlBlocked';

  constructor(
    reason: string,
    /** False when the same URL may pass later: its host could not be looked up. */
    readonly isFinal = true,
  ) {
    super(`URL is blocked: ${reason}`);
  }
}
