import type { CopyProgress } from '#kernel/database/copy/load-tables.js';
import { PROBES, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';
import { CommandError } from '../framework/output.js';

/**
 * Restores the objects that are not there: the store was empty, and a key appears when its content is complete. Returns their number.
 * @throws CommandError if another process has written to the store
 */
export async function restoreObjects(
  store: ObjectStorage,
  { objects }: Manifest,
  backups: Backups,
  { onPhase, onStep }: CopyProgress,
): Promise<number> {
  if (objects.length === 0) return 0;
  const own = new Set(objects.map(({ key }) => key));
  const present = new Set<string>();
  for await (const { key } of store.list()) {
    if (own.has(key)) present.add(key);
    else if (!key.startsWith(PROBES))
      throw new CommandError(`The object store holds ${key}, which is not of the backup: take it away`);
  }
  onPhase('objects', objects.length);
  for (const { key, file } of objects) {
    if (!present.has(key)) await backups.read(file, (content) => store.put(key, content));
    onStep();
  }
  return objects.length - present.size;
}
