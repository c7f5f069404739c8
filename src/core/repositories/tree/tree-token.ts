/** Types of entries in list order: folders first, submodules last. */
export const RANKS = ['tree', 'blob', 'commit'] as const;

/** Type of an entry. */
export type EntryType = (typeof RANKS)[number];

/** The last entry of the previous page: by its position, or by its id, as v4 clients send it. */
export type TreeToken = { readonly type: EntryType; readonly path: string } | { readonly id: string };

/** Encodes the token of the page after this entry; `path` has one character per byte. */
export const encodeTreeToken = (type: EntryType, path: string): string =>
  `${type}.${Buffer.from(path, 'latin1').toString('base64url')}`;

/** Decodes a token; null if it is invalid. */
export function decodeTreeToken(text: string): TreeToken | null {
  if (/^[0-9a-f]{40}$/.test(text)) return { id: text };
  const [, type, path] = /^(tree|blob|commit)\.([A-Za-z0-9_-]+)$/.exec(text) ?? [];
  if (type === undefined || path === undefined) return null;
  return { type: type as EntryType, path: Buffer.from(path, 'base64url').toString('latin1') };
}
