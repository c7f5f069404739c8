/** A day, or a moment with seconds, fractions and offset as they come; without an offset it is UTC. */
const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)? ?([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/;

/**
 * Reads a moment out of a payload; null for what is none. The zero time of Go programs (year 1) is how Alertmanager says that there
 * is none (`ops.md` 5.8).
 */
export function readMoment(value: unknown): Date | null {
  if (typeof value !== 'string' || value.length > 80) return null;
  const found = FORM.exec(value.trim());
  if (!found) return null;
  const [, day = '', minutes = '00:00', seconds = '00', fraction = '', offset = 'Z'] = found;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = new Date(`${day}T${minutes}:${seconds}.${milliseconds}${offsetOf(offset)}`);
  // An offset may lead beyond the years of four digits, which nobody who reads the time again expects.
  const year = time.getUTCFullYear();
  return year > 1 && year <= 9999 ? time : null;
}

/** `+0200`, `+02` and `UTC` in the one form that every parser knows. */
function offsetOf(offset: string): string {
  if (!/^[+-]/.test(offset)) return 'Z';
  return `${offset.slice(0, 3)}:${offset.length > 3 ? offset.slice(-2) : '00'}`;
}
