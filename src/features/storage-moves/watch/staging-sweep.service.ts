import { Injectable, Logger } from '@nestjs/common';
import { join } from 'node:path';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ageOf, LeftOvers } from '#kernel/disk/left-overs.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { StorageRootsService } from '#core/repositories/storages/storage-roots.service.js';
import { MOVES_FOLDER } from '../engine/run/move-run.js';
import { namesIn } from '../engine/cleanup/set-aside.js';
import { UNFINISHED } from '../storage-move.js';

/** Younger folders may belong to a run that has just lost its move and removes them itself. */
const AGE_MS = 10 * 60_000;

/**
 * Copies and trash; repositories moved away and not yet examined, or kept for an operator, have other names.
 */
const STAGING = /^(\d{1,15})-(trash-)?[0-9a-f-]{36}$/;

const OPEN = `select id from storage_moves where id = any($1::bigint[]) and ${UNFINISHED}`;

/** Removes folders of finished moves, created by workers that resumed too late. */
@Injectable()
export class StagingSweepService {
  private readonly logger = new Logger('StorageMoves');
  private readonly leftOvers = new LeftOvers(this.logger);

  constructor(
    private readonly database: ReadDatabase,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {}

  /** Sweeps all storages; one that cannot be read does not block the others. */
  async run(signal: AbortSignal): Promise<void> {
    for (const storage of this.storages.names) {
      signal.throwIfAborted();
      try {
        // Another installation may use the folder instead of the storage.
        if ((await this.roots.problem(storage)) !== null) continue;
        await this.sweep(join(this.storages.folder(storage), MOVES_FOLDER));
      } catch (error) {
        this.logger.warn(`Storage ${storage} cannot be swept: ${String(error)}`);
      }
    }
  }

  private async sweep(folder: string): Promise<void> {
    const found = new Map<string, number>();
    for (const name of await namesIn(folder)) {
      const match = STAGING.exec(name);
      if (match) found.set(name, Number(match[1]));
    }
    if (found.size === 0) return;
    const rows = await this.database.long<{ id: number }>(OPEN, [[...found.values()]]);
    const open = new Set(rows.map(({ id }) => id));
    for (const [name, id] of found) {
      const path = join(folder, name);
      if (open.has(id) || (await ageOf(path)) < AGE_MS) continue;
      if (await this.leftOvers.remove(path)) this.logger.warn(`Removed ${path}: its move had ended`);
    }
  }
}
