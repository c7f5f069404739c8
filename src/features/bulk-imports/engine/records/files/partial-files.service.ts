import { Injectable } from '@nestjs/common';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { validatorOf } from '#kernel/outbound/resumable-download.js';
import { ImportFolderService } from './import-folder.service.js';

/** Keeps partial files of slow sources between runs of a relation; a run on another host starts again. */
@Injectable()
export class PartialFilesService {
  constructor(private readonly folder: ImportFolderService) {}

  /** Moves the partial file of a previous run to where this one continues it. */
  async take(relationId: number, batch: number, file: string): Promise<void> {
    const part = join(this.folder.partial(relationId), String(batch));
    await move(part, file);
    await rm(this.folder.partial(relationId), { recursive: true, force: true });
  }

  /** Keeps the partial file of this run; returns its size, 0 if it cannot be continued. */
  async keep(relationId: number, batch: number, file: string): Promise<number> {
    if (!(await stat(validatorOf(file)).catch(() => null))) return 0;
    await mkdir(this.folder.partial(relationId), { recursive: true, mode: 0o700 });
    await move(file, join(this.folder.partial(relationId), String(batch)));
    return sizeOf(join(this.folder.partial(relationId), String(batch)));
  }
}

/** Returns the size of a file, 0 if it does not exist. */
export const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

/** The validator is moved last: a file without one is not a valid part. */
async function move(from: string, to: string): Promise<void> {
  const isThere = await rename(from, to).then(
    () => true,
    () => false,
  );
  if (isThere) await rename(validatorOf(from), validatorOf(to)).catch(() => undefined);
}
