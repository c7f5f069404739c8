import type { PlainObject } from '#kernel/http/plain-object.js';
import { countOf, lineOf, listOf, ownOf, textOf } from './json-values.js';

/** A line of code; `number` is null if the application did not send one. */
export interface ShownLine {
  readonly number: number | null;
  readonly text: string;
  /** Whether this is the line that was executed. */
  readonly isCurrent: boolean;
}

/** One call of a stack trace. */
export interface ShownFrame {
  readonly function: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Whether the code belongs to the application rather than a library. */
  readonly isOwn: boolean;
  readonly lines: readonly ShownLine[];
}

/** Limit of lines shown before and after the executed one. */
const MAX_CONTEXT = 7;

/** Parses a frame of a stack trace; returns an empty list if it is not a frame. */
export function frameOf(frame: PlainObject | null): ShownFrame[] {
  if (!frame) return [];
  const line = countOf(ownOf(frame, 'lineno'));
  return [
    {
      function: textOf(ownOf(frame, 'function'), 300),
      file:
        ['filename', 'abs_path', 'module'].map((name) => textOf(ownOf(frame, name), 500)).find(Boolean) ??
        null,
      line,
      column: countOf(ownOf(frame, 'colno')),
      isOwn: ownOf(frame, 'in_app') === true,
      lines: linesOf(frame, line),
    },
  ];
}

function linesOf(frame: PlainObject, line: number | null): ShownLine[] {
  const current = ownOf(frame, 'context_line');
  if (typeof current !== 'string') return [];
  const before = listOf(ownOf(frame, 'pre_context'), MAX_CONTEXT);
  const after = ownOf(frame, 'post_context');
  const behind = Array.isArray(after) ? (after as unknown[]).slice(0, MAX_CONTEXT) : [];
  const first = line === null ? null : line - before.length;
  return [...before, current, ...behind].map((text, index) => ({
    number: first === null ? null : Math.max(first + index, 0),
    text: lineOf(text),
    isCurrent: index === before.length,
  }));
}
