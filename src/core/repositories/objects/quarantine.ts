import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flush, forEachOf } from '#kernel/disk/durable.js';
import { diskRefusal } from '#kernel/disk/disk-refusal.js';

/** Variables of git that say where objects are. */
export type ObjectEnvironment = Readonly<Record<string, string>>;

/** Where new objects of a repository are written. */
export interface ObjectPlace {
  /** Folder of the repository. */
  readonly path: string;
  /** Under which git writes the objects there, and sees them and those of the repository. */
  readonly env: ObjectEnvironment;
}

/** Quoted as git reads it: a colon would end the path. */
export const objectsOf = (repositoryPath: string): string => JSON.stringify(join(repositoryPath, 'objects'));

/** Environment under which new objects of a repository go to a folder; what `others` shows is seen too. */
export function writingTo(
  folder: string,
  repositoryPath: string,
  others: ObjectEnvironment = {},
): ObjectEnvironment {
  const further = others['GIT_ALTERNATE_OBJECT_DIRECTORIES'];
  const seen = [objectsOf(repositoryPath), ...(further === undefined ? [] : [further])];
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: seen.join(':') };
}

/** Git removes folders of this name that are left behind, and so does the sweep of stale locks. */
const PREFIX = 'tmp_objdir-';

/** Folders of loose objects, and that of packs. */
const OBJECTS = /^([0-9a-f]{2}|pack)$/;

/** An index makes the objects of its pack visible: it comes last. */
const rank = (name: string): number => (name.endsWith('.pack') ? 0 : name.endsWith('.idx') ? 2 : 1);

/** The new objects of one change, apart from those of the repository until it is agreed to. On the same disk: they move in by their names. */
export class Quarantine {
  private folder: Promise<string> | undefined;
  private env: ObjectEnvironment = {};

  constructor(private readonly repositoryPath: string) {}

  /** Where to write them; made with the first use. @throws 503 where the disk takes nothing */
  async place(): Promise<ObjectPlace> {
    this.folder ??= onDisk(mkdtemp(join(this.repositoryPath, 'objects', PREFIX)));
    this.env = writingTo(await this.folder, this.repositoryPath);
    return { path: this.repositoryPath, env: this.env };
  }

  /** Under which git sees them; empty where nothing was written. */
  get seen(): ObjectEnvironment {
    return this.env;
  }

  /** Lets the repository have them for good, before any ref names them. @throws 503 where the disk takes nothing */
  async moveIn(): Promise<void> {
    const changed = await this.moveQuickly();
    await onDisk(forEachOf(changed, flush));
  }

  /**
   * The same without a wait for the disk, as git does it: disks keep the order of names. @returns the folders to flush before anybody is told.
   * @throws 503 where the disk takes nothing
   */
  async moveQuickly(): Promise<readonly string[]> {
    return this.folder ? onDisk(moveAll(await this.folder, join(this.repositoryPath, 'objects'))) : [];
  }

  /** Removes what has not moved in. Never throws: what stays is swept later. */
  async discard(): Promise<void> {
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Lends a quarantine for some work; whatever has not moved in by its end is gone. */
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

/** @returns the folders that have changed */
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

/** Git takes away folders that have become empty, at any time. @returns whether the folder is new */
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

/** What the system refuses the client may try again later. */
const onDisk = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw typeof codeOf(error) === 'string' ? diskRefusal(error) : error;
  });
