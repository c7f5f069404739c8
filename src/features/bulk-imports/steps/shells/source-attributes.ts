import { bind } from '#kernel/http/fields/binder.js';
import { integerIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';
import { nameProblem } from '#core/instance/paths.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';

const LEVELS: Readonly<Record<number, Visibility>> = { 0: 'private', 10: 'internal', 20: 'public' };

/** The visibility that a record of REST (a word) or of an export (a number) says; private where it says nothing that is known. */
export function visibilityIn(record: SourceRecord): Visibility {
  const word = VISIBILITIES.find((each) => each === record['visibility']);
  return word ?? LEVELS[integerIn(record, 'visibility_level', 0, 20) ?? 0] ?? 'private';
}

/**
 * The widest visibility that is not wider than at the source and in the group above, and not restricted. Where everything as narrow is restricted
 * it stays as it is: that is refused then, never widened.
 */
export function allowedVisibility(
  wanted: Visibility,
  cap: Visibility | null,
  restricted: readonly string[],
): Visibility {
  const most = Math.min(VISIBILITIES.indexOf(wanted), cap === null ? 2 : VISIBILITIES.indexOf(cap));
  const narrow = VISIBILITIES.slice(0, most + 1);
  return narrow.findLast((each) => !restricted.includes(each)) ?? narrow.at(-1) ?? 'private';
}

/** The name of a record, or `slug` where a name here cannot be so. */
export function nameIn(record: SourceRecord, slug: string): string {
  const { name } = record;
  const text =
    typeof name === 'string' && name.length <= 255 ? (textIn(record, 'name', 255) ?? '').trim() : '';
  return text !== '' && nameProblem(text) === null ? text : slug;
}

/** Of a record the attributes with these names that hold what the fields of `type` ask for; the others are left out. */
export function attributesIn<T extends object>(
  record: SourceRecord,
  type: new () => T,
  names: readonly Extract<keyof T, string>[],
): T {
  const given: Record<string, unknown> = Object.fromEntries(
    names
      .filter((name) => record[name] !== undefined && record[name] !== null)
      .map((name) => [name, record[name]]),
  );
  while (Object.keys(given).length > 0) {
    const bound = bind(type, [given]);
    if (bound.ok) return bound.value;
    const wrong = [...Object.keys(bound.problems), ...bound.missing].filter((name) =>
      Object.hasOwn(given, name),
    );
    if (wrong.length === 0) break;
    for (const name of wrong) Reflect.deleteProperty(given, name);
  }
  return new type();
}
