import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** File with which an operator accepts that all objects are lost. */
export const ACCEPTED = '.objects-lost';

/** Whether a folder holds objects, or those are known to be lost. The service itself writes only names with a leading dot besides objects. */
export async function holdsObjects(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.some((name) => !name.startsWith('.') || name === ACCEPTED);
}

/** The folder of the objects is not the one that held them: its disk is not mounted. Treated as any disk that fails. */
class ObjectsUnmounted extends Error {
  override readonly name = 'ObjectsUnmounted';
  readonly code = 'ENODEV';

  constructor(folder: string) {
    super(
      `${folder} is another folder than before, and holds no objects: mount its disk. If they are lost for good, create the file ${join(folder, ACCEPTED)}.`,
    );
  }
}

/** Notices that the folder of the objects was replaced by an empty one, in which all of them seem to be missing. */
export class ObjectHome {
  private known: string | null = null;
  private isUsed = false;

  constructor(private readonly folder: string) {}

  /** Remembers the folder as the one that holds the objects. */
  async remember(): Promise<void> {
    this.isUsed = await holdsObjects(this.folder);
    this.known = await identityOf(this.folder);
  }

  /** Notes that the folder holds an object now. */
  used(): void {
    this.isUsed = true;
  }

  /** @throws ObjectsUnmounted if the folder that held objects was replaced by one that holds none */
  async require(): Promise<void> {
    if (this.known === null) return;
    const found = await identityOf(this.folder);
    if (found === this.known) return;
    if (this.isUsed && !(await holdsObjects(this.folder))) throw new ObjectsUnmounted(this.folder);
    // Mounted again, or moved.
    this.known = found ?? this.known;
  }
}

async function identityOf(folder: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(folder, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
