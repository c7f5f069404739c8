/** All characters that any reader treats as a line end. */
const LINE_END = /[\p{Cc}\u2028\u2029]+/gu;

/** Shortens a text and marks it as shortened. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(({ 0: { length } }) => length));

/**
 * Formats a text as a code span on one line of Markdown: no link, image, markup or mention in it has an
 * effect.
 */
export function codeSpan(text: string): string {
  // Parsers that look for comments first would treat the end of this code and the following text as part of
  // one.
  const line = text.replaceAll(LINE_END, ' ').replaceAll('<!--', '<! --').trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  // A blank on either side is not part of the code.
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Formats a text as a code block: as `codeSpan`, with its lines. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')}\n${fence}`;
}
