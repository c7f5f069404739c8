import { linesOutsideFences } from './markdown-lines.js';

/** Whom a text mentions, in small letters. */
export interface MentionedNames {
  readonly names: ReadonlySet<string>;
  /** `@all`: everybody there. */
  readonly all: boolean;
}

/** More names than anybody means to call. */
const MAX_NAMES = 100;

/** A name stands after what is no part of a word, an address or a path. */
const MENTION = /(?<![\w@./`-])@([a-z0-9_.][a-z0-9_.-]{0,254}(?:\/[a-z0-9_.][a-z0-9_.-]{0,254}){0,19})/gi;

/** The first hundred different names that a Markdown text mentions outside of code and comments. */
export function mentionedNames(text: string): MentionedNames {
  const names = new Set<string>();
  let all = false;
  if (!text.includes('@')) return { names, all };
  const paragraphs = withoutComments(linesOutsideFences(text).join('\n')).split(/\n[ \t]*\n/);
  for (const paragraph of paragraphs) {
    if (!paragraph.includes('@')) continue;
    for (const [, found = ''] of withoutCode(paragraph).matchAll(MENTION)) {
      const name = found.toLowerCase().replace(/[.-]{1,255}$/, '');
      if (name === 'all') all = true;
      else if (name !== '') names.add(name);
      if (names.size >= MAX_NAMES) return { names, all };
    }
  }
  return { names, all };
}

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

/** Leaves out what stands between two runs of as many backticks: each run is looked at once, however many there are. */
function withoutCode(text: string): string {
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
