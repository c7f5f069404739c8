import { linesOutsideFences } from '#core/notes/markdown-lines.js';

/** An issue that a text says to close. */
export interface ClosingReference {
  /** Path of its project as written, null for the project of the text. */
  readonly path: string | null;
  readonly iid: number;
}

/** More of them nobody means. */
const MAX_REFERENCES = 100;

const KEYWORD =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)\b:?[ \t]+/gi;
const PATH = String.raw`[a-z0-9_][\w.-]{0,254}(?:/[\w.-]{1,255}){0,20}`;
const ISSUE = new RegExp(
  String.raw`(?:issues?[ \t]+)?(?:(?<path>${PATH})?#(?<short>\d{1,15})|(?<base>https?://[^\s/]{1,255})(?<place>(?:/[\w.-]{1,255}){2,21}?)/-/issues/(?<long>\d{1,15}))`,
  'iy',
);
/** Bounded: a run of blanks is not to be divided in all ways there are. */
const BETWEEN = /[ \t]{0,20},?[ \t]{1,20}and[ \t]{1,20}|[ \t]{0,20},[ \t]{0,20}|[ \t]{1,20}/iy;
/** What is only shown, within a line. */
const CODE = /`[^`\n]{1,1000}`/g;

/** The issues after words such as "Closes", each once; `base` is the URL that links to issues of this installation start with. */
export function closingReferences(text: string, base: string): ClosingReference[] {
  const found = new Map<string, ClosingReference>();
  if (!text.includes('#') && !text.includes('/-/issues/')) return [];
  const plain = linesOutsideFences(text).join('\n').replace(CODE, ' ');
  for (const keyword of plain.matchAll(KEYWORD)) {
    let at = keyword.index + keyword[0].length;
    for (;;) {
      ISSUE.lastIndex = at;
      const issue = ISSUE.exec(plain);
      if (!issue) break;
      const reference = referenceOf(issue.groups ?? {}, base);
      if (reference) found.set(`${reference.path ?? ''}#${reference.iid}`, reference);
      if (found.size >= MAX_REFERENCES) return [...found.values()];
      BETWEEN.lastIndex = at + issue[0].length;
      const between = BETWEEN.exec(plain);
      if (!between) break;
      at = BETWEEN.lastIndex;
    }
  }
  return [...found.values()];
}

function referenceOf(groups: Record<string, string | undefined>, base: string): ClosingReference | null {
  const { path, short, base: host, place, long } = groups;
  if (short !== undefined) return { path: path ?? null, iid: Number(short) };
  const url = `${host ?? ''}${place ?? ''}`;
  const isOurs = url.toLowerCase().startsWith(`${base.toLowerCase()}/`);
  return isOurs ? { path: url.slice(base.length + 1), iid: Number(long) } : null;
}
