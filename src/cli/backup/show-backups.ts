import { finished } from 'node:stream/promises';
import { commandConfig } from '../framework/context.js';
import type { CommandResult } from '../framework/output.js';
import { showProgress } from '../framework/progress.js';
import { openTarget } from '#features/backups/backup-target.js';
import { Backups } from '#features/backups/backups.js';
import { filesOf } from '#features/backups/manifest.js';

/** Where to look for backups. */
export interface ShowBackupsOptions {
  readonly target: string;
  /** Default: the newest. */
  readonly name?: string;
}

/** Lists the complete backups of a target. */
export async function listBackups({ target }: ShowBackupsOptions): Promise<CommandResult> {
  const config = commandConfig();
  const backups = new Backups(await openTarget(target, config), config.BACKUP_PASSPHRASE);
  const found: object[] = [];
  const lines: string[] = [];
  for (const name of await backups.names()) {
    const manifest = await backups.manifest(name);
    const bytes = filesOf(manifest).reduce((sum, { size }) => sum + size, 0);
    const { release, createdAt, findings } = manifest;
    found.push({ name, release, created_at: createdAt, bytes, findings });
    lines.push(
      `${name}  release ${release}, ${bytes} bytes${findings.length > 0 ? `, ${findings.length} NOT KEPT` : ''}`,
    );
  }
  return { json: found, lines: lines.length > 0 ? lines : ['There is no backup.'] };
}

/** Reads every file that a backup needs to the end. The exit code is 1 if one is damaged or missing. */
export async function verifyBackup(
  { target, name }: ShowBackupsOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  const backups = new Backups(await openTarget(target, config), config.BACKUP_PASSPHRASE);
  const wanted = name ?? (await backups.names()).at(-1) ?? '';
  const files = filesOf(await backups.manifest(wanted));
  const problems: string[] = [];
  const bar = showProgress('files', files.length, asJson);
  for (const file of files) {
    try {
      await backups.read(file, (content) => finished(content.resume(), { writable: false }));
    } catch (error) {
      problems.push((error as Error).message);
    }
    bar.step();
  }
  bar.end();
  return {
    json: { name: wanted, files: files.length, problems },
    lines: problems.length > 0 ? problems : [`${wanted} is whole: ${files.length} files.`],
    exitCode: problems.length > 0 ? 1 : 0,
  };
}
