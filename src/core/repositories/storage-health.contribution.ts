import { Injectable, type OnModuleInit } from '@nestjs/common';
import { constants } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { askStorage } from './storages/storage-answers.js';
import { StorageRootsService } from './storages/storage-roots.service.js';
import { StoragesService } from './storages.service.js';

/** Probing a storage writes to it, so it is not done for every probe. */
const CACHE_MS = 10_000;

/** Below the folder of a storage; nobody looks for anything with a leading dot there. */
const PROBE = '.forgeplane-probe';

/** Readiness of the storages: repositories can be made on each of them. */
@Injectable()
export class StorageHealthContribution implements OnModuleInit {
  constructor(
    private readonly checks: HealthChecks,
    private readonly storages: StoragesService,
    private readonly roots: StorageRootsService,
  ) {}

  onModuleInit(): void {
    for (const name of this.storages.names)
      this.checks.register(`storage_${name}`, () => this.probe(name), CACHE_MS);
  }

  /** Nothing is written to what is not the storage that it should be. */
  private async probe(name: string): Promise<void> {
    const problem = await this.roots.problem(name);
    if (problem !== null) throw new Error(problem);
    await askStorage(name, () => probe(this.storages.folder(name)));
  }
}

/** A file system that has become read-only or full says so only to whoever writes. */
async function probe(folder: string): Promise<void> {
  const there = await nearest(folder);
  await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
  // A folder that is not there yet is made by its first repository, not by us: a disk that is not mounted must not be hidden.
  if (there !== folder) return;
  const file = join(folder, `${PROBE}-${process.pid}`);
  await writeFile(file, 'probe');
  await rm(file, { force: true });
}

/** The folder, or the closest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const entry = await stat(path).catch(() => null);
    if (entry && !entry.isDirectory()) throw new Error(`${path} is not a folder`);
    if (entry) return path;
  }
  return '/';
}
