/**
 * Any escape; after an escaped backslash `u0000` is plain text. `JSON.stringify` writes only lone surrogates
 * as such escapes.
 */
const ESCAPES = /\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g;
const REFUSED = /\\u(?:0000|d[89a-f])/;

/** Serializes JSON for PostgreSQL: without NULs, and with the replacement character for lone surrogates. */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!REFUSED.test(json)) return json;
  return json.replace(ESCAPES, (escape: string, what: string) => {
    if (what === 'u0000') return '';
    return what.startsWith('ud') ? '\ufffd' : escape;
  });
}
