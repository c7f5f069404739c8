/** Whatever ends a line for one reader or another. */
const LINE_END = /[\p{Cc}\u2028\u2029]+/gu;

/** Shortens a text, and says so. */
export const cut = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(({ 0: { length } }) => length));

/** A text on one line of Markdown, as code: nothing in it is a link, an image, markup or a mention. */
export function codeSpan(text: string): string {
  // Whoever looks for comments first would take the end of this code, and what comes after it, for a part of one.
  const line = text.replaceAll(LINE_END, ' ').replaceAll('<!--', '<! --').trim();
  if (line === '') return '';
  const fence = '`'.repeat(longestRun(line) + 1);
  // One blank on either side is not part of the code.
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A text as a block of code: as `codeSpan`, with its lines. */
export function codeBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}\n${text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')}\n${fence}`;
}
