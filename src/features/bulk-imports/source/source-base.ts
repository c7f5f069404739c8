/**
 * The base URL of a source without query, fragment and slash at the end: a query may hold secrets, and the URL is shown. What is no URL of a
 * source, or names a user, stays as it is for the check to refuse.
 */
export function sourceBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return text;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
