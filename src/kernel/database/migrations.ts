import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import type { MigrationInterface } from 'typeorm';

type MigrationClass = new () => MigrationInterface;

/** Loads every class of the folder `migrations/`, in the order of their time stamps. */
export async function loadMigrations(): Promise<MigrationClass[]> {
  const folder = join(PACKAGE_ROOT, 'dist/migrations');
  const files = readdirSync(folder)
    .filter((name) => /^\d+-[a-z0-9-]+\.(js|ts)$/.test(name))
    .sort();
  const classes: MigrationClass[] = [];
  for (const name of files) {
    const loaded = (await import(pathToFileURL(join(folder, name)).href)) as Record<string, MigrationClass>;
    classes.push(...Object.values(loaded));
  }
  return classes;
}
