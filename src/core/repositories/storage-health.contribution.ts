import { Injectable, type OnModuleInit } from '@nestjs/common';
import { constants } from 'node:fs';
import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { nearestFolder } from './storages/nearest-folder.js';
import { askStorage } from './storages/storage-answers.js';
import { StorageRootsService } from './storages/storage-roots.service.js';
import { StoragesService } from './storages.service.js';

/** A probe writes to the storage, so its result is cached. */
const CACHE_MS = 10_000;

/** File below the folder of a storage; names with a leading dot are not used for repositories. */
const PROBE = '.forgeplane-probe';

/** Checks of the storages: repositories can be created on each of them. */
@Injectable()
export class StorageHealthContribution implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {}

  onModuleInit(): void {
    for (const name of this.storages.names)
      this.checks.register(`storage_${name}`, () => this.probe(name), 'one', CACHE_MS);
  }

  /** Does not write if the folder is not the expected storage. */
  private async probe(name: string): Promise<void> {
    const problem = await this.roots.problem(name);
    if (problem !== null) throw new Error(problem);
    await askStorage(name, () => probe(this.storages.folder(name)));
  }
}

/** Only a write reveals that a file system is read-only or full. */
async function probe(folder: string): Promise<void> {
  const there = await nearestFolder(folder);
  await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
  // Leave creating a missing folder to its first repository, so that an unmounted disk is not hidden by it.
  if (there !== folder) return;
  const file = join(folder, `${PROBE}-${process.pid}`);
  await writeFile(file, 'probe');
  await rm(file, { force: true });
}
