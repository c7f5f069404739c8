/** To the end whatever characters there are: `.` stops at some, and would be tried again from each backtick. */
const FENCE = /^ {0,3}(`{3,}|~{3,})([\s\S]*)$/;

/** The lines of a Markdown text that stand outside of fenced blocks of code. Takes one look at each line, whatever the text is. */
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
