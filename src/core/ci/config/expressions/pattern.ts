import { library } from '#kernel/libraries/library.js';

const re2 = library('re2js');

const MAX_PATTERN = 1_000;
/** Limit of characters of a text to match. */
const MAX_TEXT = 16_384;
const WRITTEN = /^\/([^]+)\/([ismU]*)$/;

/** A regular expression from a user, matched in time linear in the length of the text. */
export interface Pattern {
  readonly matches: (text: string) => boolean;
}

/** Parses `/regex/flags` (RE2); null if it is invalid. */
export function readPattern(written: string): Pattern | null {
  const [, source, flags] = WRITTEN.exec(written) ?? [];
  if (source === undefined) return null;
  return compilePattern(`${flags ? `(?${flags})` : ''}${source.replaceAll('\\/', '/')}`);
}

/** Compiles the source of a regular expression, without slashes; null if it is invalid. */
export function compilePattern(source: string): Pattern | null {
  if (source.length > MAX_PATTERN) return null;
  try {
    const compiled = re2().RE2JS.compile(source);
    return { matches: (text) => compiled.test(text.slice(0, MAX_TEXT)) };
  } catch {
    return null;
  }
}
