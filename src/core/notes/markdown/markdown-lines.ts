/**
 * Matches to the end including line separators, at which `.` would stop and be tried again from each
 * backtick.
 */
const FENCE = /^ {0,3}(`{3,}|~{3,})([\s\S]*)$/;

/** Returns the lines of a Markdown text outside of fenced code blocks. Reads each line once, for any text. */
export function linesOutsideFences(text: string): string[] {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence !== null) {
      if (mark.startsWith(fence) && info.trim() === '') fence = null;
    } else if (mark !== '' && !(mark.startsWith('`') && info.includes('`'))) fence = mark;
    else lines.push(line);
  }
  return lines;
}
