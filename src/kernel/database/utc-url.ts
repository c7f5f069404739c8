/** What PostgreSQL is told with the connection. */
const UTC = '-c TimeZone=UTC';

/**
 * The address of a database, with which every session reckons in UTC: days begin and end for all at the same moment, whatever zone the server,
 * the database or its user is set to. Other `options` of the address, and those that are given, stay.
 */
export function utcUrl(url: string, options = ''): string {
  const [, known] = /[?&]options=([^&]*)/.exec(url) ?? [];
  const all = [known === undefined ? '' : decodeURIComponent(known.replaceAll('+', ' ')), options, UTC];
  const value = encodeURIComponent(all.filter((one) => one !== '').join(' '));
  if (known !== undefined) return url.replace(`options=${known}`, () => `options=${value}`);
  return `${url}${url.includes('?') ? '&' : '?'}options=${value}`;
}
