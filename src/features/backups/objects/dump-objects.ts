import { pipeline, type Readable } from 'node:stream';
import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { BackupProgress } from '../backup-progress.js';
import type { Backups } from '../backups.js';
import type { ObjectEntry } from '../manifest/manifest.js';
import { CheckedContent } from './checked-content.js';
import type { ObjectReferences } from './object-references.js';

/** Context of copying objects. */
export interface ObjectsDump {
  readonly backups: Backups;
  readonly backup: string;
  readonly objects: ObjectStorage;
  /** Objects of the previous backup by key: objects never change. */
  readonly before: ReadonlyMap<string, ObjectEntry>;
  /** The rows that say what the objects contain. */
  readonly references: ObjectReferences;
  readonly progress: BackupProgress;
  readonly onStep: () => void;
}

/** What a backup has of the objects. */
export interface DumpedObjects {
  readonly entries: readonly ObjectEntry[];
  /** Keys of those that are not what their rows say. */
  readonly damaged: ReadonlySet<string>;
}

/**
 * Copies all objects that are not in the previous backup. Skips objects that no longer exist, and damaged ones: all later
 * backups would take a damaged copy for the object.
 */
export async function dumpObjects(dump: ObjectsDump): Promise<DumpedObjects> {
  const { objects, before, references, progress, onStep } = dump;
  const entries: ObjectEntry[] = [];
  const damaged = new Set<string>();
  for await (const { key, size } of objects.list()) {
    onStep();
    const reference = references.get(key);
    if (reference && reference.size !== size) {
      damaged.add(key);
      continue;
    }
    const known = before.get(key);
    if (known) {
      entries.push(known);
      continue;
    }
    const entry = await copyObject(key, dump);
    if (entry === 'damaged') damaged.add(key);
    if (typeof entry === 'string') continue;
    entries.push(entry);
    await progress.addObject(entry);
  }
  return { entries, damaged };
}

class ObjectDamaged extends Error {}

async function copyObject(
  key: string,
  { objects, references, backups, backup }: ObjectsDump,
): Promise<ObjectEntry | 'gone' | 'damaged'> {
  try {
    const content = await objects.get(key);
    const reference = references.get(key);
    const checked = reference
      ? pipeline([content, new CheckedContent(reference, () => new ObjectDamaged(key))], () => undefined)
      : content;
    return { key, file: await backups.write(`${backup}/objects/${key}.gz`, checked as Readable) };
  } catch (error) {
    if (error instanceof ObjectNotFound) return 'gone';
    if (error instanceof ObjectDamaged) return 'damaged';
    throw error;
  }
}
