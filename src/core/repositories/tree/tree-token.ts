/** Types of entries in the order of a list: folders come first, submodules last. */
export const RANKS = ['tree', 'blob', 'commit'] as const;

/** Type of an entry. */
export type EntryType = (typeof RANKS)[number];

/** The last entry of the page before: by its place, or by its id as v4 clients know it. */
export type TreeToken = { readonly type: EntryType; readonly path: string } | { readonly id: string };

/** What leads to the entries behind this one; `path` holds one character for each byte. */
export const encodeTreeToken = (type: EntryType, path: string): string =>
  `${type}.${Buffer.from(path, 'latin1').toString('base64url')}`;

/** Reads a token; null for what is none. */
export function decodeTreeToken(text: string): TreeToken | null {
  if (/^[0-9a-f]{40}$/.test(text)) return { id: text };
  const [, type, path] = /^(tree|blob|commit)\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (type === undefined || path === undefined) return null;
  return { type: type as EntryType, path: Buffer.from(path, 'base64url').toString('latin1') };
}
