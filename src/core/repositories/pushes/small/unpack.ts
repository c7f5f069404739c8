import { flushLooseObjects } from '../../objects/flush-loose.js';
import type { ObjectDirectory } from '../../objects/quarantine.js';
import { git } from '../../git/git.js';
import type { BroughtCommits } from '../brought-commits.js';
import type { RefChange } from '../ref-change.js';
import type { SmallPush } from './small-push.js';
import { standsOnKnown } from './stands-on.js';

/** Runs without a higher nice value, since the pusher waits for it. */
const KIND = 'write';

const MAX_SAID = 10_000;

/** Loose objects are flushed by the caller, all at once. */
const FLUSHED = ['-c', 'core.fsync=pack,pack-metadata,reference'];

/**
 * Unpacks a pack to loose objects, with git's checks of received data; missing delta bases are read from the
 * repository. @returns the output of git. @throws GitFailure
 */
export async function unpack(
  { path, env }: ObjectDirectory,
  { pack, isQuiet }: SmallPush,
  maxBytes: number,
): Promise<string> {
  let said = '';
  const args = ['unpack-objects', '--strict', `--max-input-size=${maxBytes}`, ...(isQuiet ? ['-q'] : [])];
  await git(path, [...FLUSHED, ...args], {
    ...{ input: pack, env, kind: KIND },
    onErrors: (text) => {
      if (said.length < MAX_SAID) said += text;
    },
  });
  return said;
}

/**
 * Ensures that everything an object refers to exists, down to what a ref reaches, and that new objects are
 * flushed to disk. @throws GitFailure
 */
export async function requireUsable(
  { path, env }: ObjectDirectory,
  folder: string,
  change: RefChange,
  brought: BroughtCommits,
): Promise<void> {
  const args = ['rev-list', '--objects', '--stdin', '--not', '--all', '--quiet'];
  const require = async (): Promise<unknown> =>
    (await standsOnKnown(path, folder, change, brought)) ||
    git(path, args, { input: `${change.after}\n`, env, kind: KIND });
  await Promise.all([require(), flushLooseObjects(folder)]);
}
