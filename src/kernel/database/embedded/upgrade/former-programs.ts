import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Account } from '../account.js';
import { type Binaries, findBinaries, openToAll, PROGRAMS_PACKAGE } from '../binaries.js';
import { EmbeddedProblem, inOneLine } from '../embedded-problem.js';

/** The newest npm package version of each major version of PostgreSQL. The current one is listed for future releases. */
export const PACKAGES: ReadonlyMap<number, string> = new Map([
  [15, '15.18.0-beta.17'],
  [16, '16.14.0-beta.17'],
  [17, '17.10.0-beta.17'],
  [18, '18.4.0-beta.17'],
]);

/** Programs of an older PostgreSQL, ready for use. */
export interface FormerPrograms {
  readonly binaries: Binaries;
  /** Removes the files that were installed or copied. */
  remove(): void;
}

/** Which programs are needed, and the account that must be able to run them. */
export interface WantedPrograms {
  readonly major: number;
  readonly account: Account;
  readonly dataDir: string;
  /** Folder with bin/; undefined: install them with npm. */
  readonly given: string | undefined;
}

/** Finds the programs in the given folder, or installs them with npm in a temporary one. @throws EmbeddedProblem */
export async function findFormerPrograms(wanted: WantedPrograms): Promise<FormerPrograms> {
  const { given, major } = wanted;
  if (given !== undefined) return programsIn(homeOf(given), wanted);
  const version = PACKAGES.get(major);
  if (version === undefined)
    throw new EmbeddedProblem(
      `There is no known npm package of PostgreSQL ${major}: name the folder of its programs with --old-binaries`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-postgres-'));
  const remove = (): void => {
    process.off('exit', remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  try {
    await install(folder, `${PROGRAMS_PACKAGE}@${version}`, major);
    const home = join(folder, 'node_modules', PROGRAMS_PACKAGE, 'native');
    const programs = await programsIn(home, wanted);
    return {
      binaries: programs.binaries,
      remove: () => {
        programs.remove();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The programs may have been copied: if the account cannot read them in place, or if missing links cannot be created there. */
async function programsIn(home: string, wanted: WantedPrograms): Promise<FormerPrograms> {
  const binaries = await readyPrograms(home, wanted);
  return {
    binaries,
    remove: () => {
      if (binaries.folder !== home) rmSync(binaries.folder, { recursive: true, force: true });
    },
  };
}

/** Returns the folder with bin/. The operator may also name the npm package around it, or bin/ itself. */
function homeOf(given: string): string {
  const folder = resolve(given);
  const home = [folder, join(folder, 'native'), join(folder, '..')].find((one) =>
    existsSync(join(one, 'bin/postgres')),
  );
  if (home === undefined) throw new EmbeddedProblem(`${folder} holds no bin/postgres`);
  return home;
}

async function readyPrograms(home: string, { major, account, dataDir }: WantedPrograms): Promise<Binaries> {
  const binaries = findBinaries(account, dataDir, { native: home, version: String(major) });
  const said = await run(join(binaries.folder, 'bin/postgres'), ['--version']).catch((error: unknown) => {
    throw new EmbeddedProblem(
      `The PostgreSQL in ${home} does not run: ${inOneLine((error as Error).message)}`,
    );
  });
  if (/ (\d+)[.\w]*/.exec(said)?.[1] !== String(major))
    throw new EmbeddedProblem(`${home} holds ${said.trim()}, and PostgreSQL ${major} is needed`);
  return binaries;
}

/** Arguments of npm, with shorter waits for a registry that does not answer. */
const NPM = [
  ...['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefer-offline'],
  ...['--loglevel=error', '--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=60000'],
];

async function install(folder: string, name: string, major: number): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  // Without `--prefix`, which would have npm look for its settings in the folder: the certificates of a registry, for instance.
  await run('npm', [...NPM, name], folder).catch((error: unknown) => {
    throw new EmbeddedProblem(
      `npm cannot install ${name} (${inOneLine((error as Error).message)}). Allow access to an npm registry, ` +
        `or name a folder with PostgreSQL ${major} with --old-binaries: this package, unpacked, or the one of your distribution.`,
    );
  });
  openToAll(folder);
}

function run(program: string, args: readonly string[], cwd?: string): Promise<string> {
  return new Promise((done, reject) => {
    execFile(program, args, { cwd, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() || error.message));
      else done(stdout);
    });
  });
}
