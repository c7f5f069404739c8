/**
 * Returns the base URL of a source without query, fragment and trailing slash: a query may contain secrets,
 * and the URL is displayed. An invalid URL, or one with a username, is returned unchanged for the check to
 * reject.
 */
export function sourceBase(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return text;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}
