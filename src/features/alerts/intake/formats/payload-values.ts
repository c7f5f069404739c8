/** A JSON object; its keys may be any, those of `Object.prototype` included. */
export type PayloadObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is PayloadObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What an object itself has under a name: never what every object inherits. */
export const own = (object: PayloadObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The first of several names under which something is there; names that clients know stand beside those of the specification. */
export function anyOf(object: PayloadObject, ...names: readonly string[]): unknown {
  for (const name of names) {
    const value = own(object, name);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** A number or a truth is as good as its text; what is nested says nothing where a text is expected. */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** What PostgreSQL cannot hold of a text: NULs go, halves of characters become the sign for those. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** No end of a line and no other control character. */
// eslint-disable-next-line no-control-regex -- these are meant
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]+/g;

/** A text of one line, cut with three dots; null for one that says nothing. */
export function line(value: unknown, max: number): string | null {
  const text = scalarText(value);
  // What is cut away is not looked through: it may be a megabyte.
  const known =
    text
      ?.slice(0, max * 4)
      .replace(CONTROL, ' ')
      .trim() ?? '';
  return known === '' ? null : cut(storable(known), max);
}

/** A text of any lines, cut with three dots; null for one that says nothing. */
export function block(value: unknown, max: number): string | null {
  const text = scalarText(value);
  const known = text?.slice(0, max * 4) ?? '';
  return known.trim() === '' ? null : cut(storable(known), max);
}

const DOTS = '...';

/** Never within a character of two halves. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - DOTS.length).replace(/[\ud800-\udbff]$/, '')}${DOTS}`;
}
