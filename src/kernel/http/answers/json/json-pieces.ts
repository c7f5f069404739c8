/** Shorter lists within a hash are made with it. */
const LONG_LIST = 10;

/** Whether JSON of a value is worth making piece by piece: it may be long, while no part of it is. */
export function isDivisible(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  if (Array.isArray(value)) return value.length > 1;
  for (const name in value) if (isLongList((value as Record<string, unknown>)[name])) return true;
  return false;
}

const isLongList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > LONG_LIST;

/** The JSON of a list item by item, of a hash field by field and the long lists in it item by item. Joined they are what `JSON.stringify` makes. */
export function* jsonPieces(value: object): Generator<string, void> {
  if (Array.isArray(value)) {
    let before = '[';
    for (const item of value as unknown[]) {
      yield before + textOf(item);
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
    return;
  }
  let before = '{';
  for (const [name, field] of Object.entries(value) as [string, unknown][]) {
    // Fields with values that have no JSON form are left out.
    if (field === undefined) continue;
    const start = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (isLongList(field)) {
      yield start;
      yield* jsonPieces(field);
    } else yield start + textOf(field);
  }
  yield before === '{' ? '{}' : '}';
}

const textOf = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));
