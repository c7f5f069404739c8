/** Where a keyset page ends: the order it belongs to and one value for each of its columns. */
export interface Cursor {
  readonly order: string;
  readonly sort: 'asc' | 'desc';
  readonly values: readonly (string | number)[];
}

/** Makes an opaque, URL-safe text of a position. */
export function encodeCursor({ order, sort, values }: Cursor): string {
  return Buffer.from(JSON.stringify({ o: order, s: sort, v: values, _kd: 'n' })).toString('base64url');
}

/** Reads a position back; null if the text is not a position, or belongs to another order. */
export function decodeCursor(
  text: string,
  order: string,
  sort: string,
  columns: readonly ('bigint' | 'text')[],
): Cursor | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { o, s, v } = parsed as Record<string, unknown>;
  if (o !== order || s !== sort || !Array.isArray(v) || v.length !== columns.length) return null;
  const fits = columns.every((type, index) =>
    type === 'bigint'
      ? Number.isSafeInteger(v[index])
      : typeof v[index] === 'string' && !v[index].includes('\0') && v[index].isWellFormed(),
  );
  return fits ? { order, sort: sort as 'asc' | 'desc', values: v as (string | number)[] } : null;
}
