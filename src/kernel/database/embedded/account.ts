import { createHash } from 'node:crypto';
import { existsSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The operating-system account that PostgreSQL runs under; undefined: that of this process. */
export type Account = { uid: number; gid: number } | undefined;

/** Whom earlier releases ran it as, and others run what they trust with nothing. */
const NOBODY = 65534;

/** `initdb`, unlike the server, wants an account that the system has a name for: its work is given to the server's account afterwards. */
export const nobody = (account: Account): Account => account && { uid: NOBODY, gid: NOBODY };

/** Ids that neither distributions nor systemd give to anybody; they exist in containers of ordinary users too. */
const OWN_IDS = { first: 60_600, count: 500 };

/** PostgreSQL refuses to run as root: then it runs as the owner of existing data, or under a user id that is its own, by the path of the data. */
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

/** Gives existing data to the account they are used under from now on; the folder itself last, so that what was interrupted is done again. */
export function takeOver(account: Account, folder: string): void {
  if (!account || statSync(folder).uid === account.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), account.uid, account.gid);
  lchownSync(folder, account.uid, account.gid);
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
