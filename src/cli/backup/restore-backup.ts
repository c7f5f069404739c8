import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { commandConfig } from '../framework/context.js';
import { withDatabase, type CommandDatabase } from '../framework/database.js';
import type { CommandResult } from '../framework/output.js';
import { showPhases } from '../framework/progress.js';
import { newestName, openBackups } from './open-backups.js';
import { restoreAll } from './restore-all.js';
import { restoreProject } from './restore-project.js';

/** Which backup to restore, and what of it. */
export interface RestoreBackupOptions {
  readonly target: string;
  /** Default: the one that a restore was begun with, or the newest. */
  readonly name?: string;
  /** Full path of a project whose repository alone is restored. */
  readonly project?: string;
}

/**
 * Restores a backup into an empty database, empty storages and an empty object store, or only one project's
 * repository. An interrupted restore continues where it stopped.
 */
export async function restoreBackup(
  { target, name, project }: RestoreBackupOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  const backups = await openBackups(target, config);
  // Before a database is started or changed: that there is a backup, and that the passphrase opens it.
  const first = await backups.manifest(name ?? (await newestName(backups, target)));
  const progress = showPhases(asJson);
  try {
    const restore = ({ url }: CommandDatabase): Promise<CommandResult> =>
      withClient({ connectionString: utcUrl(url) }, (client) =>
        project === undefined
          ? restoreAll({ client, url, config, backups, target, name, first, progress })
          : restoreProject(client, first, backups, config, project),
      );
    return await withDatabase(config, restore, { creates: project === undefined });
  } finally {
    progress.end();
  }
}
