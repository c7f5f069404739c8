import { createHash } from 'node:crypto';
import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Operating-system account that PostgreSQL runs under; undefined for that of this process. */
export type Account = { uid: number; gid: number } | undefined;

/** User id of `nobody`: earlier releases ran PostgreSQL under it, but other untrusted services share it. */
const NOBODY = 65534;

/** Account for `initdb`, which needs a named account, unlike the server. Its files are given to the account of the server afterwards. */
export const nobody = (account: Account): Account => account && { uid: NOBODY, gid: NOBODY };

/** User ids that neither distributions nor systemd assign; containers of unprivileged users have them too. */
const OWN_IDS = { first: 60_600, count: 500 };

/** Chooses the account if this process is root, which PostgreSQL refuses: the owner of existing data, or an id derived from the path. */
export function serverAccount(dataFolder: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder);
    if (uid !== 0 && uid !== NOBODY) return { uid, gid };
  }
  const id = ownId(resolve(dataFolder));
  return { uid: id, gid: id };
}

function ownId(path: string): number {
  const users = readNames('/etc/passwd') + readNames('/etc/group');
  const begin = createHash('sha256').update(path).digest().readUInt32BE(0);
  for (let step = 0; ; step += 1) {
    const id = OWN_IDS.first + ((begin + step) % OWN_IDS.count);
    if (step === OWN_IDS.count || !new RegExp(`^[^:]*:[^:]*:${id}:`, 'm').test(users)) return id;
  }
}

function readNames(file: string): string {
  try {
    return `${readFileSync(file, 'utf8')}\n`;
  } catch {
    return '';
  }
}

/** Changes the owner of existing data to `account`; the folder itself comes last, so that an interrupted change is repeated. */
export function takeOver(account: Account, folder: string): void {
  if (!account || statSync(folder).uid === account.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  lchownSync(folder, account.uid, account.gid);
}

/** Whether the account may traverse every parent of `path`; one with mode 0700 prevents it. */
export function canReach(account: Account, path: string): boolean {
  if (!account) return true;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const search = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
