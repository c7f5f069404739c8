import { markdownProse } from '../markdown/markdown-prose.js';

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
  for (const [, found = ''] of markdownProse(text).matchAll(MENTION)) {
    const name = found.toLowerCase().replace(/[.-]{1,255}$/, '');
    if (name === 'all') all = true;
    else if (name !== '') names.add(name);
    if (names.size >= MAX_NAMES) return { names, all };
  }
  return { names, all };
}
