import type { RefChange } from '#core/repositories/pushes/ref-change.js';

/** The changes of a push, as git reports them to the hook before it makes them. */
export interface Proposal {
  readonly changes: readonly RefChange[];
  readonly options: readonly string[];
  /** Folder of the objects in quarantine. */
  readonly objects: string;
}

/** Limit of options and of their length; no client needs more. */
const MAX_OPTIONS = 50;
const MAX_OPTION_LENGTH = 1_024;

const CHANGE = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^\ufffd]+)$/;

/** Parses the lines of a hook, without the first and last; null if they are invalid. */
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
      // For example invalid UTF-8: names that cannot be distinguished cannot be judged.
      if (before === undefined || after === undefined || ref === undefined) return null;
      changes.push({ ref, before, after });
    }
  }
  const areUsable =
    options.length <= MAX_OPTIONS && options.every(({ length }) => length <= MAX_OPTION_LENGTH);
  return areUsable ? { changes, options, objects } : null;
}
