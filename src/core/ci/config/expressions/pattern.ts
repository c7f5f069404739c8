import { library } from '#kernel/libraries/library.js';

const re2 = library('re2js');

const MAX_PATTERN = 1_000;
/** Characters of a text that are looked at. */
const MAX_TEXT = 16_384;
const WRITTEN = /^\/([^]+)\/([ismU]*)$/;

/** A regular expression of somebody else: matching takes time in proportion to the text alone. */
export interface Pattern {
  readonly matches: (text: string) => boolean;
}

/** Reads `/regex/flags` (RE2); null for what is not written so, or is no regular expression. */
export function readPattern(written: string): Pattern | null {
  const [, source, flags] = WRITTEN.exec(written) ?? [];
  if (source === undefined) return null;
  return compilePattern(`${flags ? `(?${flags})` : ''}${source.replaceAll('\\/', '/')}`);
}

/** The same without slashes. */
export function compilePattern(source: string): Pattern | null {
  if (source.length > MAX_PATTERN) return null;
  try {
    const compiled = re2().RE2JS.compile(source);
    return { matches: (text) => compiled.test(text.slice(0, MAX_TEXT)) };
  } catch {
    return null;
  }
}
