/** Seconds since 1970 and the zone, as headers of objects have them and git prints them with `--date=raw`. */
const RAW = /^(\d{1,20}) ([+-])(\d{2,})(\d\d)$/;

/** Zones farther from UTC do not exist. */
const MAX_OFFSET = 14 * 60;
/** Just below the last time that a `Date` has. */
const MAX_SECONDS = 8.63e12;

/**
 * Returns a time of an object in the strict format of ISO 8601, with its zone; UTC if that is invalid. Git itself refuses to print a time that is
 * before 1970 in its zone, and then the whole list that contains it.
 */
export function isoTime(raw: string): string {
  const [, seconds = '0', sign = '+', hours = '00', minutes = '00'] = RAW.exec(raw) ?? [];
  const minutesOff = Number(hours) * 60 + Number(minutes);
  const isZone = minutesOff > 0 && minutesOff <= MAX_OFFSET && Number(minutes) < 60;
  const offset = isZone ? minutesOff * (sign === '-' ? -1 : 1) : 0;
  const time = new Date((Math.min(Number(seconds), MAX_SECONDS) + offset * 60) * 1_000);
  // As in git, years after 9999 have no sign.
  const [local = ''] = time.toISOString().replace(/^\+0*/, '').split('.');
  return `${local}${isZone ? `${sign}${hours}:${minutes}` : '+00:00'}`;
}
