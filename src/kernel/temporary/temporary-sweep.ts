import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '#kernel/database/embedded/owner-lock.js';
import { LeftOvers } from '#kernel/disk/left-overs.js';
import { OWNED, removeTemporary } from './temporary-files.js';

const EVERY_MS = 3_600_000;

/** The owner of a newer one may be about to lock it. */
const AGE_MS = 60_000;

/** Removes temporary files left by killed processes of this host: on start, and every hour. */
@Injectable()
export class TemporarySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemporaryFiles');
  private readonly leftOvers = new LeftOvers(this.logger);
  private timer: NodeJS.Timeout | undefined;

  onApplicationBootstrap(): void {
    void this.run();
    this.timer = setInterval(() => void this.run(), EVERY_MS);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await removeTemporary();
  }

  /** Never throws: what cannot be removed now stays until the next time. */
  async run(parent = tmpdir()): Promise<void> {
    for (const name of await readdir(parent).catch(() => [])) {
      if (!name.startsWith(OWNED)) continue;
      const path = join(parent, name);
      try {
        if (!(await isOrphaned(path))) continue;
        if (await this.leftOvers.remove(path)) this.logger.warn(`Removed ${path}: its process had ended`);
      } catch (error) {
        this.logger.debug(`${path} cannot be swept: ${String(error)}`);
      }
    }
  }
}

/** Whether the lock of a folder is free. */
async function isOrphaned(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => null);
  if (!entry || Date.now() - entry.mtimeMs < AGE_MS) return false;
  const lock = await lockFolder(path).catch(() => null);
  await lock?.release();
  return lock !== null;
}
