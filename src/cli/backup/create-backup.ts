import { makeBackup } from '#features/backups/make-backup.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';
import { commandConfig } from '../framework/context.js';
import { withDatabase } from '../framework/database.js';
import type { CommandResult } from '../framework/output.js';
import { showPhases } from '../framework/progress.js';

/** Destination of a backup, and retention of older ones. */
export interface CreateBackupOptions {
  readonly target: string;
  /** Number of backups to keep, including this one; default: all. */
  readonly keep?: number;
  /** Copies everything again instead of reusing the previous backup. */
  readonly full?: boolean;
  /** Accepts a folder that has lost all backups that were made there. */
  readonly newTarget?: boolean;
}

/** Creates a backup while the service is running. The exit code is 1 if something could not be read. */
export async function createBackup(
  { target, keep, full, newTarget }: CreateBackupOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  const phases = showPhases(asJson);
  const { onPhase, onStep } = phases;
  const order = {
    config,
    target,
    keep,
    isFull: full === true,
    isNewTarget: newTarget === true,
    onPhase,
    onStep,
  };
  try {
    const { manifest, removed, warnings } = await withDatabase(config, ({ url }) =>
      makeBackup({ ...order, databaseUrl: url }),
    );
    return resultOf(manifest, removed, warnings);
  } finally {
    phases.end();
  }
}

function resultOf(
  manifest: Manifest,
  removed: readonly string[],
  warnings: readonly string[],
): CommandResult {
  const { name, tables, repositories, objects, findings } = manifest;
  const own = (key: string): boolean => key.startsWith(`${name}/`);
  const packed = repositories.filter(({ packs }) => packs.some(({ key }) => own(key))).length;
  const copied = objects.filter(({ file }) => own(file.key)).length;
  return {
    json: {
      name,
      tables: tables.length,
      repositories: repositories.length,
      repositories_changed: packed,
      objects: objects.length,
      objects_copied: copied,
      removed,
      findings,
      warnings,
    },
    lines: [
      `Backup ${name}: ${tables.length} tables, ${repositories.length} repositories (${packed} changed), ${objects.length} objects (${copied} new).`,
      ...removed.map((old) => `removed ${old}`),
      ...warnings.map((warning) => `WARNING: ${warning}`),
      ...findings.map((finding) => `NOT KEPT: ${finding}`),
    ],
    exitCode: findings.length > 0 ? 1 : 0,
  };
}
