import { Injectable } from '@nestjs/common';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '#kernel/config/config.js';
import type { RelationRun } from '../../runs/relation-run.js';

/** Folders for files of sources while they are read: one per run. */
@Injectable()
export class ImportFolderService {
  readonly root: string;

  constructor(config: Config) {
    this.root = join(config.DATA_DIR, 'tmp', 'bulk-imports');
  }

  /** Returns the folder of partial files for the next run of a relation. */
  partial(relationId: number): string {
    return join(this.root, `${relationId}-partial`);
  }

  /** Runs `work` with an empty folder that is removed afterwards. */
  async use<T>({ relationId, context }: RelationRun, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.root, `${relationId}-${context.runToken}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
