/** Makes the server notice within half a minute that a client has vanished: its session would keep its connection and its locks for two hours. */
const KEEP_ALIVE = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4';
const UTC = '-c TimeZone=UTC';

/**
 * Adds UTC to the URL of a database, as the time zone of every session: days begin and end at the same moment
 * for everyone, regardless of the zone of the server, the database or its user. Other `options` of the URL, and
 * those given, are kept and take precedence over the TCP settings.
 */
export function utcUrl(url: string, options = ''): string {
  const [, known] = /[?&]options=([^&]*)/.exec(url) ?? [];
  const own = known === undefined ? '' : decodeURIComponent(known.replaceAll('+', ' '));
  const all = [KEEP_ALIVE, own, options, UTC];
  const value = encodeURIComponent(all.filter((one) => one !== '').join(' '));
  if (known !== undefined) return url.replace(`options=${known}`, () => `options=${value}`);
  return `${url}${url.includes('?') ? '&' : '?'}options=${value}`;
}
