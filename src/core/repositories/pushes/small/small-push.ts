import type { RefChange } from '../ref-change.js';

/** A push that is held as a whole, and gives one ref something that is there. */
export interface SmallPush {
  readonly change: RefChange;
  readonly pushOptions: readonly string[];
  /** The new objects, as git packs them for another that has what the ref had. */
  readonly pack: Buffer;
  /** Whether nobody wants to hear how far it is. */
  readonly isQuiet: boolean;
}

/** What has become of it: its ref is changed; refused with a text; or its ref was not what it said. */
export type SmallPushEnd = {
  /** What git has written for whoever waits. */
  readonly said: string;
} & ({ readonly is: 'done' | 'late' } | { readonly is: 'refused'; readonly text: string });
