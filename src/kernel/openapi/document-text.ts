import type { Schema } from './components/schemas.js';

/**
 * Depth down to which members get lines of their own: those of operations and components do, what they
 * contain takes one line each.
 */
const LINES = 5;

/**
 * Formats the document for a file. Parts that change independently are on lines of their own, without
 * indentation, so that a diff shows them and the file stays small.
 */
export const textOfDocument = (document: Schema): string => linesOf(document, 0);

function linesOf(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null || depth === LINES) return JSON.stringify(value);
  if (Array.isArray(value))
    return between(
      '[',
      ']',
      value.map((one) => linesOf(one, depth + 1)),
    );
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return between(
    '{',
    '}',
    members.map(([key, one]) => `${JSON.stringify(key)}:${linesOf(one, depth + 1)}`),
  );
}

const between = (begin: string, end: string, parts: readonly string[]): string =>
  parts.length < 2 ? `${begin}${parts.join('')}${end}` : `${begin}\n${parts.join(',\n')}\n${end}`;
