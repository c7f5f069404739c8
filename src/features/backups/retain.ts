import { BackupProblem } from './backup-problem.js';
import type { Backups } from './backups.js';
import { isForeign } from './manifest/installation.js';
import { filesOf, type Manifest } from './manifest/manifest.js';

/** Age after which files without a manifest are abandoned; a slow backup may still be running before. */
const ABANDONED_MS = 48 * 3_600_000;

/** What could not be read for a backup, so that copies of earlier ones may be the last. */
export class Lost {
  /** Ids of repositories. */
  readonly repositories = new Set<number>();
  /** Keys of objects. */
  readonly objects = new Set<string>();

  /** Whether nothing is lost. */
  get isNothing(): boolean {
    return this.repositories.size + this.objects.size === 0;
  }

  /** Forgets what a backup has; returns whether it has any of it. */
  findIn({ repositories, objects }: Manifest): boolean {
    let isFound = false;
    for (const { id } of repositories) if (this.repositories.delete(id)) isFound = true;
    for (const { key } of objects) if (this.objects.delete(key)) isFound = true;
    return isFound;
  }
}

/**
 * Removes the oldest backups and remains of killed ones, except files that a newer backup builds on. Removes
 * nothing while a backup to keep cannot be read, since it is unknown what it builds on. Of the repositories and
 * objects that could not be read now, the newest backup that has one stays: its copy may be the last. Backups of
 * other installations stay, and do not count.
 */
export async function retain(
  backups: Backups,
  keep: number,
  made: Manifest,
  lost: Lost,
  now = Date.now(),
): Promise<string[]> {
  const names = await backups.names();
  const staying = new Set<string>();
  const kept = new Set<string>();
  let left = keep;
  for (const name of names.toReversed()) {
    // The one just made is not the newest by its name if the clock was ahead before.
    const isKept = left > 0 || name === made.name;
    const manifest = await manifestOf(backups, name);
    if (manifest === null) {
      if (isKept || !lost.isNothing) return [];
      continue;
    }
    const isOther = isForeign(manifest, made.installation);
    if (!isOther) left -= 1;
    if (!isOther && !lost.findIn(manifest) && !isKept) continue;
    staying.add(name);
    for (const { key } of filesOf(manifest)) kept.add(key);
  }
  const old = names.filter((name) => !staying.has(name));
  for (const name of [...old, ...(await backups.unfinished(now - ABANDONED_MS))])
    await backups.remove(name, kept);
  return old;
}

/** Null if it cannot be read. */
async function manifestOf(backups: Backups, name: string): Promise<Manifest | null> {
  try {
    return await backups.manifest(name);
  } catch (error) {
    if (error instanceof BackupProblem) return null;
    throw error;
  }
}
