import { Injectable, Logger } from '@nestjs/common';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ageOf, LeftOvers } from '#kernel/disk/left-overs.js';
import { ImportFolderService } from '../engine/records/files/import-folder.service.js';

/** Younger files may belong to a run that has just lost its relation and removes them itself. */
const AGE_MS = 10 * 60_000;

const FOLDER = /^(\d{1,15})-(?:[0-9a-f-]{36}|partial)$/;

const RUNNING = `select unnest(array[id || '-partial', id || '-' || run_token]) as name from bulk_import_relations
  where id = any($1::bigint[]) and status in ('enqueued', 'started')`;

/** Removes files of runs whose worker died, and abandoned partial files. */
@Injectable()
export class ImportSweepService {
  private readonly logger = new Logger('BulkImports');
  private readonly leftOvers = new LeftOvers(this.logger);

  constructor(
    private readonly database: ReadDatabase,
    private readonly folder: ImportFolderService,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    const { root } = this.folder;
    const found = new Map<string, number>();
    for (const name of await readdir(root).catch(() => [])) {
      const match = FOLDER.exec(name);
      if (match) found.set(name, Number(match[1]));
    }
    if (found.size === 0) return;
    const rows = await this.database.long<{ name: string }>(RUNNING, [[...found.values()]]);
    const running = new Set(rows.map(({ name }) => name));
    for (const name of found.keys()) {
      signal.throwIfAborted();
      const path = join(root, name);
      if (running.has(name) || (await ageOf(path)) < AGE_MS) continue;
      if (await this.leftOvers.remove(path)) this.logger.warn(`Removed ${path}: its run had ended`);
    }
  }
}
