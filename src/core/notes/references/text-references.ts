import { markdownProse } from '../markdown/markdown-prose.js';

/** A reference to an issue (`#`), merge request (`!`) or epic (`&`) in a text. */
export interface TextReference {
  readonly sign: '#' | '!' | '&';
  /** Path of its project or group, as written; null for that of the text. */
  readonly path: string | null;
  readonly iid: number;
}

/** A reference, or a URL that leads elsewhere, with its end. */
export interface FoundReference {
  readonly reference: TextReference | null;
  readonly end: number;
}

/** Limit of references in a text. */
export const MAX_REFERENCES = 100;

const PATH = String.raw`[a-z0-9_][\w.-]{0,254}(?:/[\w.-]{1,255}){0,20}`;
/** A URL is matched as a whole, so that nothing inside of it is matched separately. */
const REFERENCE = String.raw`(?<url>https?://[^\s<>()\[\]"'\x60|]{1,2000})|(?<path>${PATH})?(?<sign>[#!&])(?<iid>\d{1,15})(?!\w)`;
/** Not inside of words, paths, addresses, entities and escapes. */
const ANYWHERE = new RegExp(String.raw`(?<![\w./#!&=?%@\\-])(?:${REFERENCE})`, 'gi');
const HERE = new RegExp(REFERENCE, 'iy');

const PAGE =
  /^\/(?<groups>groups\/)?(?<path>.{1,1024}?)\/-\/(?<kind>issues|merge_requests|epics)\/(?<iid>\d{1,15})(?!\w)/;
const SIGNS: Readonly<Record<string, TextReference['sign']>> = {
  issues: '#',
  merge_requests: '!',
  epics: '&',
};

/** Possible references: a cheap check of a text. */
const MAYBE = /[#!&]\d|\/-\/(?:issues|merge_requests|epics)\/\d/;

/** Returns whether a text may contain references. */
export const mayHoldReferences = (text: string): boolean => MAYBE.test(text);

/**
 * Returns the first hundred distinct references in a Markdown text outside of code and comments; `base`:
 * start of the URLs of this installation.
 */
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

/** Returns the reference at an offset of prose; null if there is none. */
export function referenceAt(prose: string, at: number, base: string): FoundReference | null {
  HERE.lastIndex = at;
  const match = HERE.exec(prose);
  return match && { reference: referenceOf(match.groups ?? {}, base), end: HERE.lastIndex };
}

/** Returns a key that is the same for equal references. */
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
