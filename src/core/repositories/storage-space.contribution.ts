import { Injectable, type OnModuleInit } from '@nestjs/common';
import { statfs } from 'node:fs/promises';
import { Config } from '#kernel/config/config.js';
import { registerLabelledGauge } from '#kernel/log/labelled-gauge.js';
import { nearestFolder } from './storages/nearest-folder.js';
import { askStorage } from './storages/storage-answers.js';
import { StoragesService } from './storages.service.js';

/** Size of a file system, and the part of it that is still available to the process. */
export interface DiskSpace {
  readonly size: number;
  readonly free: number;
}

/** Exports the space of the storages and of DATA_DIR as metrics. */
@Injectable()
export class StorageSpaceContribution implements OnModuleInit {
  constructor(
    private readonly config: Config,
    private readonly storages: StoragesService,
  ) {}

  onModuleInit(): void {
    this.gauge('disk_free_bytes', 'Free bytes where data lies', ({ free }) => free);
    this.gauge('disk_size_bytes', 'Size of the file system where data lies', ({ size }) => size);
  }

  /**
   * Returns the space by the storage names that readiness uses, and `data` for DATA_DIR; omits disks that do
   * not respond.
   */
  async all(): Promise<ReadonlyMap<string, DiskSpace>> {
    const folders = [
      ['data', 'data', this.config.DATA_DIR],
      ...this.storages.names.map((name) => [`storage_${name}`, name, this.storages.folder(name)] as const),
    ] as const;
    const asked = folders.map(async ([disk, name, folder]) => {
      const space = await askStorage(name, () => spaceOf(folder)).catch(() => null);
      return [disk, space] as const;
    });
    const spaces = new Map<string, DiskSpace>();
    for (const [disk, space] of await Promise.all(asked)) if (space) spaces.set(disk, space);
    return spaces;
  }

  private gauge(name: string, help: string, figure: (space: DiskSpace) => number): void {
    const read = async (): Promise<ReadonlyMap<string, number>> =>
      new Map([...(await this.all())].map(([disk, space]) => [disk, figure(space)]));
    registerLabelledGauge(name, `${help}, by disk`, 'disk', read, 'min');
  }
}

/** The folder of an unused storage will be created below the nearest existing one. */
async function spaceOf(folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bavail } = await statfs(await nearestFolder(folder));
  return { size: bsize * blocks, free: bsize * bavail };
}
