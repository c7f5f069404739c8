import type { RE2JS } from 're2js';
import { library } from '#kernel/libraries/library.js';

const re2 = library('re2js');

/** Limit of lines searched, from the end of the trace. */
const MAX_LINES = 5_000;
/** Limit of characters of a line. */
const MAX_LINE = 4_096;
/** Time limit for all lines. */
const BUDGET_MS = 2_000;

/** In percent. */
export const MAX_COVERAGE = 100;

const NUMBER = /\d+(?:\.\d+)?/;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** The end of a trace, and the pattern of the coverage in it. */
interface TraceEnd {
  readonly end: string;
  readonly pattern: string;
}

/**
 * Extracts the coverage from a trace: the number in the last match of the last matching line, or in its last
 * group. Null if nothing matches, the number exceeds 100, the pattern is invalid, or the search takes too
 * long: a short pattern with repetitions may take seconds for a single line, so call it in a thread. The syntax
 * is RE2, with or without slashes.
 */
export function coverageIn({ end, pattern }: TraceEnd): number | null {
  const regex = compile(pattern);
  if (!regex) return null;
  const lines = end.split(/\r\n|\r|\n/).reverse();
  const until = performance.now() + BUDGET_MS;
  for (const line of lines.slice(0, MAX_LINES)) {
    if (performance.now() > until) return null;
    const found = lastMatch(regex, line.slice(0, MAX_LINE).replace(COLOURS, ''));
    const number = found === null ? undefined : NUMBER.exec(found)?.[0];
    if (number !== undefined) return Number(number) <= MAX_COVERAGE ? Number(number) : null;
  }
  return null;
}

function compile(pattern: string): RE2JS | null {
  const bare = /^\/(.*)\/$/s.exec(pattern)?.[1] ?? pattern;
  try {
    return bare === '' ? null : re2().RE2JS.compile(bare);
  } catch {
    return null;
  }
}

function lastMatch(regex: RE2JS, line: string): string | null {
  const matcher = regex.matcher(line);
  let found: string | null = null;
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1));
    found = groups.findLast((group) => group !== null) ?? matcher.group() ?? null;
  }
  return found;
}
