import { codeSpan, cut } from './markdown-code.js';

/** Limit of lines about details in an incident: the alert has all of them. */
const MAX_LINES = 50;
const MAX_VALUE = 500;
const MAX_NAME = 200;
/** Limit of depth: deeper values are shown as JSON. */
const MAX_DEPTH = 6;

/** Formats values as lines of a Markdown list, each with its path of names. */
export function detailLines(details: unknown): string[] {
  const lines: string[] = [];
  for (const [path, value] of leaves(details, '', 0)) {
    if (lines.length === MAX_LINES) return [...lines, '- …'];
    lines.push(`- ${codeSpan(cut(path, MAX_NAME))}: ${codeSpan(cut(value, MAX_VALUE))}`);
  }
  return lines;
}

function* leaves(value: unknown, path: string, depth: number): Generator<[path: string, value: string]> {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (value !== null && text.trim() !== '') yield [path, text];
    return;
  }
  for (const name of Object.keys(value)) {
    const next = path === '' ? name : `${path}/${name}`;
    yield* leaves((value as Readonly<Record<string, unknown>>)[name], next, depth + 1);
  }
}
