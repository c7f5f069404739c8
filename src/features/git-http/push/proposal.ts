import type { RefChange } from '#core/repositories/pushes/ref-change.js';

/** What a push wants, as git has told our hook before it changes anything. */
export interface Proposal {
  readonly changes: readonly RefChange[];
  readonly options: readonly string[];
  /** Folder of the objects that are in quarantine. */
  readonly objects: string;
}

/** More of them, or longer ones, no client has a use for. */
const MAX_OPTIONS = 50;
const MAX_OPTION_LENGTH = 1_024;

const CHANGE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\ufffd]+)$/;

/** Reads the lines of a hook, without their first and last; null for what cannot be read. */
export function readProposal(lines: readonly string[]): Proposal | null {
  const changes: RefChange[] = [];
  const options: string[] = [];
  let objects = '';
  for (const line of lines) {
    const blank = line.indexOf(' ');
    const [word, rest] = [line.slice(0, blank), line.slice(blank + 1)];
    if (word === 'objects') objects = rest;
    else if (word === 'option') options.push(rest);
    else if (word === 'change') {
      const [, before, after, ref] = CHANGE.exec(rest) ?? [];
      // Bytes that are no UTF-8, among others: what cannot be told apart cannot be judged.
      if (before === undefined || after === undefined || ref === undefined) return null;
      changes.push({ ref, before, after });
    }
  }
  const areUsable =
    options.length <= MAX_OPTIONS && options.every(({ length }) => length <= MAX_OPTION_LENGTH);
  return areUsable ? { changes, options, objects } : null;
}
