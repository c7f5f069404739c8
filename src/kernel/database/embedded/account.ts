import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The operating-system account that PostgreSQL runs under; undefined: that of this process. */
export type Account = { uid: number; gid: number } | undefined;

const NOBODY = 65534;

/** PostgreSQL refuses to run as root: then it runs as the owner of existing data, or as `nobody`. */
export function serverAccount(dataFolder: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0) return { uid, gid };
  }
  return { uid: NOBODY, gid: NOBODY };
}

/** Whether the account may walk down to `path`: a parent with mode 0700 shuts it out. */
export function canReach(account: Account, path: string): boolean {
  if (!account) return true;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
