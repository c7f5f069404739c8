import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MigrationInterface } from 'typeorm';

type MigrationClass = new () => MigrationInterface;

/** Loads every class of the folder `migrations/`, in the order of their time stamps. */
export async function loadMigrations(): Promise<MigrationClass[]> {
  const folder = new URL('../../../migrations/', import.meta.url);
  const files = readdirSync(fileURLToPath(folder))
    .filter((name) => /^\d+-[a-z0-9-]+\.(js|ts)$/.test(name))
    .sort();
  const classes: MigrationClass[] = [];
  for (const name of files) {
    const loaded = (await import(new URL(name, folder).href)) as Record<string, MigrationClass>;
    classes.push(...Object.values(loaded));
  }
  return classes;
}
