/** A date, or a time with optional seconds, fractions and offset; UTC without an offset. */
const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)? ?([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Parses a time of a payload; null if it is invalid. Alertmanager sends the zero time of Go programs (year 1)
 * for a missing one (`ops.md` 5.8).
 */
export function readMoment(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 80) return null;
  const found = FORM.exec(value.trim());
  if (!found) return null;
  const [, day = '', minutes = '00:00', seconds = '00', fraction = '', offset = 'Z'] = found;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = new Date(`${day}T${minutes}:${seconds}.${milliseconds}${offsetOf(offset)}`);
  // An offset may move the time beyond four-digit years, which its readers do not expect.
  const year = time.getUTCFullYear();
  return year > 1 && year <= 9999 ? time : null;
}

/** Converts `+0200`, `+02` and `UTC` to the form that all parsers know. */
function offsetOf(offset: string): string {
  if (!/^[+-]/.test(offset)) return 'Z';
  return `${offset.slice(0, 3)}:${offset.length > 3 ? offset.slice(-2) : '00'}`;
}
