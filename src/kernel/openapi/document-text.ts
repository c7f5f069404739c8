import type { Schema } from './components/schemas.js';

/** How deep the lines go: members of operations and of components have lines of their own, what is in them has one each. */
const LINES = 5;

/**
 * The document as text for a file: what changes by itself stands on a line of its own, without indentation, so that a difference shows it
 * and the file stays small.
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
