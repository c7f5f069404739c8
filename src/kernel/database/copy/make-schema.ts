import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source.js';
import { loadMigrations } from '../migrations.js';
import { DatabaseAddress } from '../sessions/database-address.js';

/** Returns the names of migrations that this release lacks. */
export async function unknownMigrations(names: readonly string[]): Promise<string[]> {
  const known = new Set((await loadMigrations()).map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/** Creates the schema in an empty database with exactly these migrations. */
export async function makeSchema(url: string, names: readonly string[]): Promise<void> {
  const migrations = (await loadMigrations()).filter(({ name }) => names.includes(name));
  const options = await dataSourceOptions(DatabaseAddress.direct(url), 1);
  const source = await new DataSource({ ...options, migrations }).initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}
