import { finished } from 'node:stream/promises';
import { BackupProblem } from '#features/backups/backup-problem.js';
import { commandConfig } from '../framework/context.js';
import type { CommandResult } from '../framework/output.js';
import { showPhases } from '../framework/progress.js';
import { filesOf } from '#features/backups/manifest/manifest.js';
import { newestName, openBackups } from './open-backups.js';

/** Where to look for backups. */
export interface ShowBackupsOptions {
  readonly target: string;
  /** Default: the newest. */
  readonly name?: string;
}

/** Lists the complete backups of a target. The exit code is 1 if one cannot be read, which is listed with its problem. */
export async function listBackups({ target }: ShowBackupsOptions): Promise<CommandResult> {
  const config = commandConfig();
  const backups = await openBackups(target, config);
  const found: object[] = [];
  const lines: string[] = [];
  let exitCode = 0;
  for (const name of await backups.names()) {
    const manifest = await backups.manifest(name).catch(problemOf);
    if (typeof manifest === 'string') {
      exitCode = 1;
      found.push({ name, problem: manifest });
      lines.push(`${name}  CANNOT BE READ: ${manifest}`);
      continue;
    }
    const bytes = filesOf(manifest).reduce((sum, { size }) => sum + size, 0);
    const { release, createdAt, findings } = manifest;
    found.push({ name, release, created_at: createdAt, bytes, findings });
    lines.push(
      `${name}  release ${release}, ${bytes} bytes${findings.length > 0 ? `, ${findings.length} NOT KEPT` : ''}`,
    );
  }
  return { json: found, lines: lines.length > 0 ? lines : ['There is no backup.'], exitCode };
}

function problemOf(error: unknown): string {
  if (error instanceof BackupProblem) return error.message;
  throw error;
}

/** Reads every file that a backup needs to the end. The exit code is 1 if one is damaged or missing. */
export async function verifyBackup(
  { target, name }: ShowBackupsOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  const backups = await openBackups(target, config);
  const wanted = name ?? (await newestName(backups, target));
  const files = filesOf(await backups.manifest(wanted));
  const problems: string[] = [];
  const { onPhase, onStep, end } = showPhases(asJson);
  onPhase('files', files.length);
  for (const file of files) {
    try {
      await backups.read(file, (content) => finished(content.resume(), { writable: false }));
    } catch (error) {
      problems.push((error as Error).message);
    }
    onStep();
  }
  end();
  return {
    json: { name: wanted, files: files.length, problems },
    lines: problems.length > 0 ? problems : [`${wanted} is whole: ${files.length} files.`],
    exitCode: problems.length > 0 ? 1 : 0,
  };
}
