import type { Config } from '#kernel/config/config.js';
import { openTarget, nameOfTarget } from '#features/backups/backup-target.js';
import { Backups } from '#features/backups/backups.js';
import { CommandError } from '../framework/output.js';

/** Opens the backups of a target. */
export const openBackups = async (target: string, config: Config): Promise<Backups> =>
  new Backups(await openTarget(target, config), config.BACKUP_PASSPHRASE);

/** Returns the name of the newest backup. @throws CommandError if there is none */
export async function newestName(backups: Backups, target: string): Promise<string> {
  const name = (await backups.names()).at(-1);
  if (name === undefined) throw new CommandError(`${nameOfTarget(target)} holds no backup`);
  return name;
}
