import { markdownProse } from '../markdown/markdown-prose.js';

/** Names that a text mentions, in lower case. */
export interface MentionedNames {
  readonly names: ReadonlySet<string>;
  /** `@all`: all members of the project or group. */
  readonly all: boolean;
}

/** Limit of names in a text. */
const MAX_NAMES = 100;

/** A mention must not follow a character of a word, an address or a path. */
const MENTION = /(?<![\w@./`-])@([a-z0-9_.][a-z0-9_.-]{0,254}(?:\/[a-z0-9_.][a-z0-9_.-]{0,254}){0,19})/gi;

/** Returns the first hundred distinct names that a Markdown text mentions outside of code and comments. */
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
