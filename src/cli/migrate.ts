import { migrate } from '#kernel/database/migrate.js';
import { awaitDatabase, startEnd } from '#kernel/start/check-start.js';
import { createFirstData } from '#core/first-start/first-data.js';
import { commandConfig } from './framework/context.js';
import { withDatabase } from './framework/database.js';
import type { CommandResult } from './framework/output.js';

/** Waits for the database, migrates the schema, and creates the initial data if there is none. */
export async function migrateCommand(): Promise<CommandResult> {
  const config = commandConfig();
  await awaitDatabase(config, startEnd(config));
  return withDatabase(
    config,
    async ({ url }) => {
      const applied = await migrate(url);
      const notes = await createFirstData(config, url);
      const lines =
        applied.length === 0 ? ['The schema is up to date.'] : applied.map((name) => `applied ${name}`);
      return { json: { applied, notes }, lines: [...lines, ...notes] };
    },
    { creates: true },
  );
}
