import type { CommandResult } from '../framework/output.js';
import type { Copied } from './copy-database.js';
import { keptFolders } from './upgrade-checks.js';

/** A completed upgrade. */
export interface Upgraded {
  readonly from: number;
  readonly to: number;
  readonly copied: Copied;
  /** New path of the old folder. */
  readonly kept: string;
}

const removal = (folder: string): string => `rm -r '${folder.replaceAll("'", `'\\''`)}'`;

/** Reports an upgrade, and how to remove the old folder. */
export const upgradeResult = ({ from, to, copied, kept }: Upgraded): CommandResult => ({
  json: {
    from,
    to,
    tables: copied.tables,
    rows: Number(copied.rows),
    not_copied: copied.additions,
    kept: [kept],
  },
  lines: [
    `Upgraded PostgreSQL ${from} to ${to}: ${copied.tables} tables with ${copied.rows} rows, all compared.`,
    ...copied.additions.map((one) => `NOT COPIED (not created by the product): ${one}`),
    `The old folder is now ${kept}. Start the service, and once everything works, remove the old folder: ${removal(kept)}`,
  ],
});

/** Reports that there is nothing to upgrade, or that an interrupted upgrade is now complete. */
export function upToDateResult(major: number, isFinished: boolean, dataDir: string): CommandResult {
  const kept = keptFolders(dataDir);
  const state = isFinished
    ? `The interrupted upgrade to PostgreSQL ${major} is now complete.`
    : `The data folder already belongs to PostgreSQL ${major}: there is nothing to upgrade.`;
  return {
    json: { from: major, to: major, kept },
    lines: [state, ...kept.map((folder) => `An old folder still exists; to remove it: ${removal(folder)}`)],
  };
}
