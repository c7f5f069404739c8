const MAX_LENGTH = 255;

interface Field {
  readonly least: number;
  readonly greatest: number;
  readonly names: readonly string[];
}

/** Minutes, hours, days of the month, months, days of the week. */
const FIELDS: readonly Field[] = [
  { least: 0, greatest: 59, names: [] },
  { least: 0, greatest: 23, names: [] },
  { least: 1, greatest: 31, names: [] },
  { least: 1, greatest: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { least: 0, greatest: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/**
 * A value, a range or `*`, each with an optional step; the last day (`L`, `5L`); the second Friday (`5#2`).
 */
const ITEM = /^(?:\*|\d{1,2}(?:-\d{1,2})?)(?:\/\d{1,2})?$|^\d?L$|^\d#\d$/;

/**
 * Normalizes a cron expression of five fields to the common syntax: names become numbers, and ranges that
 * wrap around (`22-4`, `fri-mon`) become lists. Null if the text has another form; numbers are not validated
 * here.
 */
export function plainCron(text: string): string | null {
  const fields = text.trim().split(/\s+/);
  if (text.length > MAX_LENGTH || fields.length !== FIELDS.length) return null;
  const plain = fields.map((field, index) => plainField(field, FIELDS[index] as Field));
  return plain.includes(null) ? null : plain.join(' ');
}

function plainField(text: string, field: Field): string | null {
  const items = text.split(',').map((item) => plainItem(item, field));
  return items.includes(null) ? null : items.join(',');
}

function plainItem(text: string, { least, greatest, names }: Field): string | null {
  const item = text.replace(/\b[a-z]{3}(?![a-z])/gi, (name) => {
    const index = names.indexOf(name.toLowerCase());
    return index === -1 ? name : String(index + least);
  });
  if (!ITEM.test(item)) return null;
  if (item === '*/1') return '*';
  const [, from, to, step = '1'] = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(item) ?? [];
  if (from === undefined || Number(from) <= Number(to)) return item;
  if (Number(from) > greatest || Number(to) < least || Number(step) === 0) return null;
  const span = greatest - least + 1;
  const length = Number(to) - Number(from) + span;
  const values = Array.from({ length: Math.floor(length / Number(step)) + 1 }, (_, index) => {
    return ((Number(from) - least + index * Number(step)) % span) + least;
  });
  return values.join(',');
}
