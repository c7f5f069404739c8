import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { BackupProgress } from '../backup-progress.js';
import type { Backups } from '../backups.js';
import type { ObjectEntry } from '../manifest/manifest.js';

/** Context of copying objects. */
export interface ObjectsDump {
  readonly backups: Backups;
  readonly backup: string;
  readonly objects: ObjectStorage;
  /** Objects of the previous backup by key: objects never change. */
  readonly before: ReadonlyMap<string, ObjectEntry>;
  readonly progress: BackupProgress;
  readonly onStep: () => void;
}

/** Copies all objects that are not in the previous backup. Objects removed meanwhile are skipped. */
export async function dumpObjects({
  backups,
  backup,
  objects,
  before,
  progress,
  onStep,
}: ObjectsDump): Promise<ObjectEntry[]> {
  const entries: ObjectEntry[] = [];
  for await (const { key } of objects.list()) {
    onStep();
    const known = before.get(key);
    if (known) {
      entries.push(known);
      continue;
    }
    const entry = await copyObject(key, objects, backups, backup);
    if (entry === null) continue;
    entries.push(entry);
    await progress.addObject(entry);
  }
  return entries;
}

async function copyObject(
  key: string,
  objects: ObjectStorage,
  backups: Backups,
  backup: string,
): Promise<ObjectEntry | null> {
  try {
    return { key, file: await backups.write(`${backup}/objects/${key}.gz`, await objects.get(key)) };
  } catch (error) {
    if (error instanceof ObjectNotFound) return null;
    throw error;
  }
}
