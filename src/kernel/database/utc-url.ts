/** Options sent to PostgreSQL when connecting. */
const UTC = '-c TimeZone=UTC';

/**
 * Adds UTC to the URL of a database, as the time zone of every session: days begin and end at the same moment
 * for everyone, whatever the zone of the server, the database or its user. Other `options` of the URL, and
 * those given, are kept.
 */
export function utcUrl(url: string, options = ''): string {
  const [, known] = /[?&]options=([^&]*)/.exec(url) ?? [];
  const all = [known === undefined ? '' : decodeURIComponent(known.replaceAll('+', ' ')), options, UTC];
  const value = encodeURIComponent(all.filter((one) => one !== '').join(' '));
  if (known !== undefined) return url.replace(`options=${known}`, () => `options=${value}`);
  return `${url}${url.includes('?') ? '&' : '?'}options=${value}`;
}
