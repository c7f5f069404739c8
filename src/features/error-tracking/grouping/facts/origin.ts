/** Origin of an event, with the key by which it is grouped. */
export interface Origin {
  readonly name: string;
  readonly description: string | null;
  /** Location for users; null if unknown. */
  readonly location: string | null;
  readonly key: readonly string[];
}

/** Limit of characters of an error's name, and of other single-line texts. */
export const MAX_NAME = 255;

/** Limit of characters of a description. */
export const MAX_DESCRIPTION = 2_000;
