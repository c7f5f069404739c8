/** Any escape; after an escaped backslash `u0000` are plain letters. `JSON.stringify` writes halves of characters as escapes, and nothing else so. */
const ESCAPES = /\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g;
const REFUSED = /\\u(?:0000|d[89a-f])/;

/** JSON that PostgreSQL takes: without NULs, and with the sign for what is no character in place of halves of some. */
export function storedJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!REFUSED.test(json)) return json;
  return json.replace(ESCAPES, (escape: string, what: string) => {
    if (what === 'u0000') return '';
    return what.startsWith('ud') ? '\ufffd' : escape;
  });
}
