import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flush, forEachOf } from '#kernel/disk/durable.js';
import { diskRefusal } from '#kernel/disk/disk-refusal.js';

/** Environment variables of git for the location of objects. */
export type ObjectEnvironment = Readonly<Record<string, string>>;

/** Directory in which new objects of a repository are written. */
export interface ObjectDirectory {
  /** Path of the repository. */
  readonly path: string;
  /** Environment in which git writes objects there, and reads them and those of the repository. */
  readonly env: ObjectEnvironment;
}

/** Quoted in git's syntax: a colon would end the path. */
export const objectsOf = (repositoryPath: string): string => JSON.stringify(join(repositoryPath, 'objects'));

/**
 * Returns the environment for writing new objects of a repository to a folder; the objects of `others` are
 * readable too.
 */
export function writingTo(
  folder: string,
  repositoryPath: string,
  others: ObjectEnvironment = {},
): ObjectEnvironment {
  const further = others['GIT_ALTERNATE_OBJECT_DIRECTORIES'];
  const seen = [objectsOf(repositoryPath), ...(further === undefined ? [] : [further])];
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: seen.join(':') };
}

/** Git removes left-over folders with this prefix, as does the sweep of stale locks. */
const PREFIX = 'tmp_objdir-';

/** Folders of loose objects, and that of packs. */
const OBJECTS = /^([0-9a-f]{2}|pack)$/;

/** An index makes the objects of its pack visible, so it is moved last. */
const rank = (name: string): number => (name.endsWith('.pack') ? 0 : name.endsWith('.idx') ? 2 : 1);

/**
 * The new objects of a change, separate from the repository until it is accepted. On the same disk, so that
 * files are moved by renaming.
 */
export class Quarantine {
  private folder: Promise<string> | undefined;
  private env: ObjectEnvironment = {};

  constructor(private readonly repositoryPath: string) {}

  /** Returns where to write objects; creates it on first use. @throws 503 if the disk refuses writes */
  async directory(): Promise<ObjectDirectory> {
    this.folder ??= onDisk(mkdtemp(join(this.repositoryPath, 'objects', PREFIX)));
    this.env = writingTo(await this.folder, this.repositoryPath);
    return { path: this.repositoryPath, env: this.env };
  }

  /** Environment in which git reads them; empty if nothing was written. */
  get seen(): ObjectEnvironment {
    return this.env;
  }

  /**
   * Moves the objects durably into the repository, before any ref names them. @throws 503 if the disk refuses
   * writes
   */
  async moveIn(): Promise<void> {
    const changed = await this.moveQuickly();
    await onDisk(forEachOf(changed, flush));
  }

  /**
   * Moves them without waiting for the disk, as git does: disks keep the order of names. @returns the folders
   * to flush before the change is reported.
   * @throws 503 if the disk refuses writes
   */
  async moveQuickly(): Promise<readonly string[]> {
    return this.folder ? onDisk(moveAll(await this.folder, join(this.repositoryPath, 'objects'))) : [];
  }

  /** Removes the objects that were not moved. Never throws: the sweep removes the rest later. */
  async discard(): Promise<void> {
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Provides a quarantine for `work`, and removes objects that were not moved by its end. */
export async function withQuarantine<T>(
  repositoryPath: string,
  work: (quarantine: Quarantine) => Promise<T>,
): Promise<T> {
  const quarantine = new Quarantine(repositoryPath);
  try {
    return await work(quarantine);
  } finally {
    await quarantine.discard();
  }
}

/** Moves all files. @returns the changed folders */
async function moveAll(from: string, to: string): Promise<readonly string[]> {
  const names = (await readdir(from)).filter((name) => OBJECTS.test(name));
  const changed = new Set<string>();
  await forEachOf(names, async (name) => {
    const [source, target] = [join(from, name), join(to, name)];
    const files = (await readdir(source)).filter((file) => !file.startsWith('tmp_'));
    files.sort((one, other) => rank(one) - rank(other));
    if (files.length > 0) changed.add(target);
    for (const file of files) if (await moveFile(source, target, file)) changed.add(to);
  });
  return [...changed];
}

/** Git may remove empty folders at any time. @returns whether the folder is new */
async function moveFile(source: string, target: string, file: string): Promise<boolean> {
  for (let attempt = 1, isNew = false; ; attempt += 1) {
    try {
      await rename(join(source, file), join(target, file));
      return isNew;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt > 3) throw error;
      isNew = (await mkdir(target, { recursive: true })) !== undefined || isNew;
    }
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** Errors of the disk become 503, so that the client may retry. */
const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw typeof codeOf(error) === 'string' ? diskRefusal(error) : error;
  });
