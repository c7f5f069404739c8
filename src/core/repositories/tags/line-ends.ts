/**
 * Removes the line ends at the end of a text, in linear time: a regular expression tries to begin at each line
 * end within the text, which takes half a minute for 100,000 of them.
 */
export function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
