import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The last release, to be updated with each release (CONTRIBUTING.md). */
export const FORMER_RELEASE = '1.0.0-rc.1';

/** A build of the last release in its own folder. */
export interface FormerRelease {
  /** The folder that holds its package.json and dist. */
  readonly root: string;
  /** Whether this build replaces it, because a shallow clone does not contain it. */
  readonly isStandIn: boolean;
  remove(): void;
}

/** Builds the last release from its tag, or from the commit that made it where tags were not fetched; a shallow clone has neither. */
export async function buildFormerRelease(): Promise<FormerRelease> {
  const commit = await commitOf(FORMER_RELEASE);
  if (commit === null) {
    process.stderr.write(
      `NOT TESTED beside ${FORMER_RELEASE}: the history lacks it, fetch all of it with its tags\n`,
    );
    return { root: resolve('.'), isStandIn: true, remove: () => undefined };
  }
  const root = mkdtempSync(join(tmpdir(), 'forgeplane-former-'));
  const archive = join(root, 'source.tar');
  await run('git', ['archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', root]);
  // Its packages are installed here: if a release removes or upgrades one incompatibly, the old one must be
  // installed here.
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  await run(process.execPath, ['--input-type=module', '-e', BUILD], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  return { root, isStandIn: false, remove: () => rmSync(root, { recursive: true, force: true }) };
}

const BUILD = `const { buildIfStale } = await import(process.cwd() + '/scripts/build.mjs'); await buildIfStale();`;

async function commitOf(release: string): Promise<string | null> {
  for (const args of [
    ['rev-parse', '--verify', '--quiet', `v${release}^{commit}`],
    ['log', '-1', '--format=%H', '--fixed-strings', `--grep=Release ${release}`],
  ]) {
    const { stdout } = await run('git', args).catch(() => ({ stdout: '' }));
    if (stdout.trim() !== '') return stdout.trim();
  }
  return null;
}
