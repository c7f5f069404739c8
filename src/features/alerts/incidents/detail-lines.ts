import { codeSpan, cut } from './markdown-code.js';

/** What an incident shows of the details: the alert has all of them. */
const MAX_LINES = 50;
const MAX_VALUE = 500;
const MAX_NAME = 200;
/** No deeper: what lies there is shown as it was sent. */
const MAX_DEPTH = 6;

/** Values as lines of a Markdown list, each with the path of names that leads to it. */
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
