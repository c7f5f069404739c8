import { Injectable } from '@nestjs/common';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { validatorOf } from '#kernel/outbound/resumable-download.js';
import { ImportFolderService } from './import-folder.service.js';

/** Parts of files of slow sources, kept from one run of a relation to the next; a run on another host does without. */
@Injectable()
export class PartialFilesService {
  constructor(private readonly folder: ImportFolderService) {}

  /** Moves what a former run has got of a file to where this one goes on with it. */
  async take(relationId: number, batch: number, file: string): Promise<void> {
    const part = join(this.folder.partial(relationId), String(batch));
    await move(part, file);
    await rm(this.folder.partial(relationId), { recursive: true, force: true });
  }

  /** Keeps what this run has got of a file; how many bytes, 0 for nothing that can be gone on with. */
  async keep(relationId: number, batch: number, file: string): Promise<number> {
    if (!(await stat(validatorOf(file)).catch(() => null))) return 0;
    await mkdir(this.folder.partial(relationId), { recursive: true, mode: 0o700 });
    await move(file, join(this.folder.partial(relationId), String(batch)));
    return sizeOf(join(this.folder.partial(relationId), String(batch)));
  }
}

/** How much has come of a file. */
export const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

/** The validator goes last: a file without one is no part. */
async function move(from: string, to: string): Promise<void> {
  const isThere = await rename(from, to).then(
    () => true,
    () => false,
  );
  if (isThere) await rename(validatorOf(from), validatorOf(to)).catch(() => undefined);
}
