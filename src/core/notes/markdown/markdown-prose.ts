import { linesOutsideFences } from './markdown-lines.js';

/**
 * Limit of characters of a text that are read: a megabyte of hostile text would block the event loop for a
 * second.
 */
const MAX_READ = 100_000;

/**
 * Returns the prose of a Markdown text, without code and comments: only there names and numbers are
 * references. Linear for any text.
 */
export const markdownProse = (text: string): string =>
  withoutComments(linesOutsideFences(text.slice(0, MAX_READ)).join('\n'))
    .split(/\n[ \t]*\n/)
    .map(withoutCode)
    .join('\n\n');

function withoutComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf('<!--', from);
    const end = start < 0 ? -1 : text.indexOf('-->', start + 4);
    if (end < 0) return kept + text.slice(from);
    kept += text.slice(from, start);
    from = end + 3;
  }
}

/** Removes code spans, between two runs of equally many backticks; reads each run once. */
function withoutCode(text: string): string {
  if (!text.includes('`')) return text;
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const nextOf = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at] as { length: number };
    closing[at] = nextOf.get(length);
    nextOf.set(length, at);
  }
  let kept = '';
  let from = 0;
  for (let at = 0; at < runs.length; at += 1) {
    const close = closing[at];
    if (close === undefined) continue;
    const start = runs[at] as { index: number };
    const end = runs[close] as { index: number; length: number };
    kept += `${text.slice(from, start.index)} `;
    from = end.index + end.length;
    at = close;
  }
  return kept + text.slice(from);
}
