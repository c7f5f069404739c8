import { markdownProse } from '#core/notes/markdown/markdown-prose.js';
import {
  keyOf,
  mayHoldReferences,
  MAX_REFERENCES,
  referenceAt,
  type TextReference,
} from '#core/notes/references/text-references.js';

const KEYWORD =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)\b:?[ \t]+/gi;
const WORD = /issues?[ \t]{1,20}/iy;
/** Repetitions are bounded, so that a run of blanks cannot be split in exponentially many ways. */
const BETWEEN = /[ \t]{0,20},?[ \t]{1,20}and[ \t]{1,20}|[ \t]{0,20},[ \t]{0,20}|[ \t]{1,20}/iy;

/** Returns the offset after a match of the pattern, or null. */
function after(pattern: RegExp, prose: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(prose) ? pattern.lastIndex : null;
}

/**
 * Finds the issues after words such as "Closes", without duplicates; `base`: start of the URLs of this
 * installation.
 */
export function closingReferences(text: string, base: string): TextReference[] {
  const found = new Map<string, TextReference>();
  if (!mayHoldReferences(text)) return [];
  const prose = markdownProse(text);
  for (const keyword of prose.matchAll(KEYWORD)) {
    let at: number | null = keyword.index + keyword[0].length;
    while (at !== null) {
      const named = referenceAt(prose, after(WORD, prose, at) ?? at, base);
      if (!named || (named.reference && named.reference.sign !== '#')) break;
      if (named.reference) found.set(keyOf(named.reference), named.reference);
      if (found.size >= MAX_REFERENCES) return [...found.values()];
      at = after(BETWEEN, prose, named.end);
    }
  }
  return [...found.values()];
}
