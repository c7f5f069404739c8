import type { RE2JS } from 're2js';
import { library } from '#kernel/libraries/library.js';

const re2 = library('re2js');

/** Time limit of a pattern for all names, so that it does not block others. */
const BUDGET_MS = 100;

/** The names that match, or why they are unknown. */
export type MatchedNames = readonly boolean[] | 'is invalid' | 'takes too long';

/** Matches names with a regular expression in RE2 syntax, which takes linear time. */
export function matchNames({
  names,
  regex,
}: {
  readonly names: readonly string[];
  readonly regex: string;
}): MatchedNames {
  const pattern = compile(regex);
  if (!pattern) return 'is invalid';
  const until = performance.now() + BUDGET_MS;
  const found: boolean[] = [];
  for (const name of names) {
    if (performance.now() > until) return 'takes too long';
    found.push(pattern.matcher(name).find());
  }
  return found;
}

function compile(regex: string): RE2JS | null {
  try {
    return re2().RE2JS.compile(regex);
  } catch {
    return null;
  }
}
