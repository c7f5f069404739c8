import { markdownProse } from '../markdown/markdown-prose.js';

/** An issue (`#`), merge request (`!`) or epic (`&`) that a text names. */
export interface TextReference {
  readonly sign: '#' | '!' | '&';
  /** Path of its project, or group, as written; null for that of the text. */
  readonly path: string | null;
  readonly iid: number;
}

/** A reference, or a URL that leads elsewhere, and where it ends. */
export interface FoundReference {
  readonly reference: TextReference | null;
  readonly end: number;
}

/** More of them in one text nobody means. */
export const MAX_REFERENCES = 100;

const PATH = String.raw`[a-z0-9_][\w.-]{0,254}(?:/[\w.-]{1,255}){0,20}`;
/** A URL is taken as a whole, so that nothing within it is looked at by itself. */
const REFERENCE = String.raw`(?<url>https?://[^\s<>()\[\]"'\x60|]{1,2000})|(?<path>${PATH})?(?<sign>[#!&])(?<iid>\d{1,15})(?!\w)`;
/** Not within words, paths, addresses, entities and what is escaped. */
const ANYWHERE = new RegExp(String.raw`(?<![\w./#!&=?%@\\-])(?:${REFERENCE})`, 'gi');
const HERE = new RegExp(REFERENCE, 'iy');

const PAGE =
  /^\/(?<groups>groups\/)?(?<path>.{1,1024}?)\/-\/(?<kind>issues|merge_requests|epics)\/(?<iid>\d{1,15})(?!\w)/;
const SIGNS: Readonly<Record<string, TextReference['sign']>> = {
  issues: '#',
  merge_requests: '!',
  epics: '&',
};

/** What may be a reference: a cheap look at a text. */
const MAYBE = /[#!&]\d|\/-\/(?:issues|merge_requests|epics)\/\d/;

/** Whether it is worth while to read a text: where it is not, it names nothing. */
export const mayHoldReferences = (text: string): boolean => MAYBE.test(text);

/** The first hundred different things that a Markdown text names outside of code and comments; `base` is the URL with which links to this installation start. */
export function textReferences(text: string, base: string): TextReference[] {
  if (!mayHoldReferences(text)) return [];
  const found = new Map<string, TextReference>();
  for (const { groups } of markdownProse(text).matchAll(ANYWHERE)) {
    const reference = referenceOf(groups ?? {}, base);
    if (reference) found.set(keyOf(reference), reference);
    if (found.size >= MAX_REFERENCES) break;
  }
  return [...found.values()];
}

/** What begins at this place of a text without code; null where nothing does. */
export function referenceAt(prose: string, at: number, base: string): FoundReference | null {
  HERE.lastIndex = at;
  const match = HERE.exec(prose);
  return match && { reference: referenceOf(match.groups ?? {}, base), end: HERE.lastIndex };
}

/** The same for the same thing named twice in one way. */
export const keyOf = ({ path, sign, iid }: TextReference): string =>
  `${path?.toLowerCase() ?? ''}${sign}${iid}`;

function referenceOf(
  { url, path, sign, iid }: Record<string, string | undefined>,
  base: string,
): TextReference | null {
  if (url === undefined) return { sign: sign as TextReference['sign'], path: path ?? null, iid: Number(iid) };
  if (!url.toLowerCase().startsWith(`${base.toLowerCase()}/`)) return null;
  const { groups } = PAGE.exec(url.slice(base.length)) ?? {};
  if (!groups || (groups['kind'] === 'epics') !== (groups['groups'] !== undefined)) return null;
  return {
    sign: SIGNS[groups['kind'] ?? ''] ?? '#',
    path: groups['path'] ?? null,
    iid: Number(groups['iid']),
  };
}
