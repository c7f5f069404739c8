const FENCE = /^ {0,3}(`{3,}|~{3,})([\s\S]*)$/;
const QUOTE = '>>>';

/** State of the scan. */
interface Walk {
  readonly text: string;
  readonly lines: readonly string[];
  /** Offset of each line in the text. */
  readonly starts: readonly number[];
  readonly isProtected: boolean[];
  readonly lastQuote: number;
  readonly comments: Comments;
}

/**
 * Returns which lines of a Markdown text begin inside of a fenced block, a code span, a comment or a quoted
 * block (`>>>`). An unclosed code block extends to the end of the text; an unclosed comment or quoted block
 * is ignored.
 */
export function protectedLines(text: string, lines: readonly string[]): boolean[] {
  const walk: Walk = {
    text,
    lines,
    starts: startsOf(lines),
    isProtected: lines.map(() => false),
    lastQuote: lines.findLastIndex(isQuoteMark),
    comments: new Comments(text),
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    const fence = openedFence(line);
    if (fence !== null) at = protect(walk, at, endOfFence(lines, at, fence));
    else if (isQuoteMark(line) && at < walk.lastQuote) at = protect(walk, at, endOfQuote(lines, at));
    else at = line.trim() === '' ? at + 1 : paragraph(walk, at);
  }
  return walk.isProtected;
}

const isQuoteMark = (line: string): boolean => line.trimEnd() === QUOTE;

function startsOf(lines: readonly string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
}

/** Returns the marks of a fence that a line opens; backticks in its info string make it a span. */
function openedFence(line: string): string | null {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
  return mark === '' || (mark.startsWith('`') && info.includes('`')) ? null : mark;
}

function endOfFence(lines: readonly string[], at: number, fence: string): number {
  for (let next = at + 1; next < lines.length; next += 1) {
    const [, mark = '', info = ''] = FENCE.exec(lines[next] as string) ?? [];
    if (mark.startsWith(fence) && info.trim() === '') return next;
  }
  return lines.length - 1;
}

function endOfQuote(lines: readonly string[], at: number): number {
  let end = at + 1;
  while (!isQuoteMark(lines[end] as string)) end += 1;
  return end;
}

/** Protects lines including both ends. @returns the line after them */
function protect({ isProtected }: Walk, from: number, to: number): number {
  isProtected.fill(true, from, to + 1);
  return to + 1;
}

/** A run of backticks. */
interface Run {
  readonly index: number;
  readonly length: number;
}

/**
 * Scans lines up to an empty one or a block; if a comment extends beyond them, continues after its end.
 * @returns the line after them
 */
function paragraph(walk: Walk, first: number): number {
  const { lines, starts } = walk;
  let position = { line: first, from: starts[first] as number };
  for (;;) {
    let behind = position.line + 1;
    while (behind < lines.length && continues(lines[behind] as string)) behind += 1;
    const left = spans(walk, position.line, position.from, behind);
    if (left === null) return behind;
    position = left;
  }
}

/**
 * Protects what begins in the spans and comments of some lines; returns the end of the last comment if it
 * extends beyond them.
 */
function spans(
  { text, lines, starts, isProtected, comments }: Walk,
  first: number,
  from: number,
  behind: number,
): { line: number; from: number } | null {
  const to = behind < lines.length ? (starts[behind] as number) : text.length;
  const piece = text.slice(from, to);
  const closing = closingRuns(piece, from);
  let line = first;
  let resume = from;
  for (const { index, 0: mark } of piece.matchAll(/`+|<!--/g)) {
    const start = from + index;
    if (start < resume) continue;
    const end = mark === '<!--' ? comments.endAfter(start) : (closing.get(start) ?? null);
    if (end === null) continue;
    resume = end;
    while (line < lines.length && (starts[line] as number) <= start) line += 1;
    for (; line < lines.length && (starts[line] as number) < end; line += 1) isProtected[line] = true;
    if (end > to) return { line: line - 1, from: end };
  }
  return null;
}

const continues = (line: string): boolean =>
  line.trim() !== '' && openedFence(line) === null && !isQuoteMark(line);

/** Finds the ends of comments, and searches only once if there are no more. */
class Comments {
  private hasNoMore = false;

  constructor(private readonly text: string) {}

  endAfter(start: number): number | null {
    const end = this.hasNoMore ? -1 : this.text.indexOf('-->', start + 4);
    this.hasNoMore = end < 0;
    return end < 0 ? null : end + 3;
  }
}

/** Returns the ends of code spans by the start of their opening runs; unclosed runs are omitted. */
function closingRuns(piece: string, offset: number): Map<number, number> {
  const runs: Run[] = [...piece.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const closing = new Map<number, number>();
  const nextOf = new Map<number, Run>();
  for (const run of runs.reverse()) {
    const partner = nextOf.get(run.length);
    if (partner) closing.set(offset + run.index, offset + partner.index + partner.length);
    nextOf.set(run.length, run);
  }
  return closing;
}
