import type { ObjectEntry } from '../manifest/manifest.js';
import { byTable, type ObjectReference, type ObjectReferences } from './object-references.js';

/** Objects that rows name and the store has lost, or damaged. */
export interface LostObjects {
  /** Copies that earlier backups have: objects never change. */
  readonly copies: readonly ObjectEntry[];
  /** Those of which there is such a copy. */
  readonly copied: ObjectReferences;
  /** Those of which there is none. */
  readonly gone: ObjectReferences;
}

/** Looks for the copies of lost objects in the backup before. */
export function formerCopies(lost: ObjectReferences, before: ReadonlyMap<string, ObjectEntry>): LostObjects {
  const copies: ObjectEntry[] = [];
  const copied = new Map<string, ObjectReference>();
  const gone = new Map<string, ObjectReference>();
  for (const [key, reference] of lost) {
    const copy = before.get(key);
    (copy ? copied : gone).set(key, reference);
    if (copy) copies.push(copy);
  }
  return { copies, copied, gone };
}

/** Number of keys that a description names. */
const SHOWN = 3;

/** Describes lost objects, a line for each table that names missing ones, and one for each that names damaged ones. */
export function describeReferences(
  lost: ObjectReferences,
  damaged: ReadonlySet<string>,
  consequence: string,
): string[] {
  const such = (isDamaged: boolean): ObjectReferences =>
    new Map([...lost].filter(([key]) => damaged.has(key) === isDamaged));
  return [
    ...describe(such(false), 'missing from', consequence),
    ...describe(such(true), 'damaged in', consequence),
  ];
}

const describe = (lost: ObjectReferences, what: string, consequence: string): string[] =>
  [...byTable(lost)].map(([table, found]) => {
    const keys = [...found.values()].slice(0, SHOWN);
    const some = [...keys, ...(found.size > SHOWN ? ['...'] : [])].join(', ');
    return `${table}: ${found.size} object${found.size === 1 ? '' : 's'} ${what} the object storage (${some}); ${consequence}`;
  });
