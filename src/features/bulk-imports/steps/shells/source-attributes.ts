import { bind } from '#kernel/http/fields/binder.js';
import { integerIn, textIn, type SourceRecord } from '#core/exchange/source-record.js';
import { nameProblem } from '#core/instance/paths.js';
import { VISIBILITIES, type Visibility } from '#core/groups/namespaces/namespace.entity.js';

const LEVELS: Readonly<Record<number, Visibility>> = { 0: 'private', 10: 'internal', 20: 'public' };

/** Returns the visibility of a record of REST (a word) or of an export (a number); private if unknown. */
export function visibilityIn(record: SourceRecord): Visibility {
  const word = VISIBILITIES.find((each) => each === record['visibility']);
  return word ?? LEVELS[integerIn(record, 'visibility_level', 0, 20) ?? 0] ?? 'private';
}

/**
 * Returns the widest visibility that is not wider than at the source and in the parent group, and not
 * restricted. If all of these are restricted, returns the original one, which is then rejected, never
 * widened.
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

/** Returns the name of a record, or `slug` if the name is invalid here. */
export function nameIn(record: SourceRecord, slug: string): string {
  const { name } = record;
  const text =
    typeof name === 'string' && name.length <= 255 ? (textIn(record, 'name', 255) ?? '').trim() : '';
  return text !== '' && nameProblem(text) === null ? text : slug;
}

/** Returns the attributes of a record with these names that are valid fields of `type`; omits others. */
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
