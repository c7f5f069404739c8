/** What an event says of where it comes from, and what decides with which others it belongs together. */
export interface Origin {
  readonly name: string;
  readonly description: string | null;
  /** Where it happened, for people; null where the event does not say. */
  readonly place: string | null;
  readonly key: readonly string[];
}

/** Longest name of an error, and of everything else that fits on a line. */
export const MAX_NAME = 255;

/** Longest description. */
export const MAX_DESCRIPTION = 2_000;
