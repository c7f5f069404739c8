import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CopyProgress } from '#kernel/database/copy/load-tables.js';
import { SNAPSHOT } from '#kernel/database/copy/tables.js';
import { serverAccount, takeOver } from '#kernel/database/embedded/account.js';
import { findBinaries } from '#kernel/database/embedded/binaries.js';
import { createCluster, majorOf, newerFolder, type Cluster } from '#kernel/database/embedded/cluster.js';
import { stopLeftovers } from '#kernel/database/embedded/leftovers.js';
import { lockFolder } from '#kernel/database/embedded/owner-lock.js';
import { findFormerPrograms } from '#kernel/database/embedded/upgrade/former-programs.js';
import { startNewServer, startOldServer } from '#kernel/database/embedded/upgrade/private-server.js';
import { finishSwap, swapFolders, upgradeFolders } from '#kernel/database/embedded/upgraded-folder.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { flushTree } from '#kernel/disk/durable.js';
import { commandConfig } from '../framework/context.js';
import { exitOnSignals } from '../framework/database.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { showPhases } from '../framework/progress.js';
import { copyDatabase, knownMigrations, type Copied } from './copy-database.js';
import { requireMovable, requireOwnDatabase, requireRoom } from './upgrade-checks.js';
import { upgradeResult, upToDateResult } from './upgrade-result.js';

/** Options of the command. */
export interface UpgradeOptions {
  /** Folder with the programs of the old major version; default: install them with npm. */
  readonly oldBinaries?: string;
}

/**
 * Upgrades the embedded database to the installed major version of PostgreSQL. Copies it into a new folder, which replaces the old one after all
 * tables have been compared. Keeps the old folder.
 */
export async function upgradeDatabase(
  { oldBinaries }: UpgradeOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  requireOwnDatabase(config);
  const dataDir = resolve(config.DATA_DIR);
  const lock = await lockFolder(dataDir);
  const stopListening = exitOnSignals();
  const phases = showPhases(asJson);
  try {
    return await upgrade(dataDir, oldBinaries, phases);
  } finally {
    phases.end();
    stopListening();
    await lock.release();
  }
}

async function upgrade(
  dataDir: string,
  given: string | undefined,
  progress: CopyProgress,
): Promise<CommandResult> {
  const { current, making } = upgradeFolders(dataDir);
  const isFinished = finishSwap(dataDir);
  await removeUnfinished(dataDir);
  const account = serverAccount(current);
  const fresh: Cluster = { folder: making, account, binaries: findBinaries(account, dataDir) };
  const [from, to] = [majorOf(current), fresh.binaries.major];
  if (from > to) throw new CommandError(newerFolder(current, from, to));
  if (from === to) return upToDateResult(to, isFinished, dataDir);
  requireMovable(current, dataDir);
  await requireRoom(current, dataDir);
  progress.onPhase(`programs of PostgreSQL ${from}`, 1);
  const programs = await findFormerPrograms({ major: from, account, dataDir, given });
  try {
    const old: Cluster = { folder: current, account, binaries: programs.binaries };
    const copied = await makeCopy(old, fresh, dataDir, progress);
    await flushTree(making);
    return upgradeResult({ from, to, copied, kept: await swapFolders(dataDir, from) });
  } catch (error) {
    await removeUnfinished(dataDir);
    throw error;
  } finally {
    programs.remove();
  }
}

/** Removes the folders of an interrupted upgrade, if the old data folder is still in place. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const { current, making, made } = upgradeFolders(dataDir);
  if (!existsSync(current)) return;
  if (existsSync(making)) await stopLeftovers(making, () => undefined);
  for (const folder of [making, made]) rmSync(folder, { recursive: true, force: true });
}

/** Creates the new data folder; stops both servers afterwards. */
async function makeCopy(
  old: Cluster,
  fresh: Cluster,
  dataDir: string,
  progress: CopyProgress,
): Promise<Copied> {
  await stopLeftovers(old.folder, () => undefined);
  takeOver(old.account, old.folder);
  const oldServer = await startOldServer(old);
  try {
    return await withClient({ connectionString: utcUrl(oldServer.url) }, async (source) => {
      await source.query(SNAPSHOT);
      const migrations = await knownMigrations(source);
      await createCluster(fresh, dataDir);
      const newServer = await startNewServer(fresh);
      try {
        return await copyDatabase(source, newServer.url, migrations, progress);
      } finally {
        await newServer.stop();
      }
    });
  } finally {
    await oldServer.stop();
  }
}
