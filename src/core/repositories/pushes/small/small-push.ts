import type { RefChange } from '../ref-change.js';

/** A push held in memory that sets one ref to an existing object. */
export interface SmallPush {
  readonly change: RefChange;
  readonly pushOptions: readonly string[];
  /** The new objects as a pack, possibly with deltas against existing objects. */
  readonly pack: Buffer;
  /** Whether progress output is suppressed. */
  readonly isQuiet: boolean;
}

/** Result of the push: its ref was updated; it was rejected with a text; or its ref had another value. */
export type SmallPushEnd = {
  /** Output of git for the client. */
  readonly said: string;
} & ({ readonly is: 'done' | 'late' } | { readonly is: 'refused'; readonly text: string });
