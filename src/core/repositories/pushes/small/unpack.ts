import { flushLooseObjects } from '../../objects/flush-loose.js';
import type { ObjectPlace } from '../../objects/quarantine.js';
import { git } from '../../git/git.js';
import type { BroughtCommits } from '../brought-commits.js';
import type { RefChange } from '../ref-change.js';
import type { SmallPush } from './small-push.js';
import { standsOnKnown } from './stands-on.js';

/** Who pushes waits for it: it gives way to nobody, as all that writes for a request. */
const KIND = 'write';

const MAX_SAID = 10_000;

/** Objects in files of their own are left to us: we flush them all at a time. */
const FLUSHED = ['-c', 'core.fsync=pack,pack-metadata,reference'];

/**
 * Writes the objects of a pack into files of their own, checked as git checks what it receives; what it needs and does not have is taken from the
 * repository. @returns what git has said. @throws GitFailure
 */
export async function unpack(
  { path, env }: ObjectPlace,
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
 * Makes sure of all that an object stands on: that it is there down to what some ref has already (of which that is known), and that what is new
 * survives the loss of power. @throws GitFailure
 */
export async function requireUsable(
  { path, env }: ObjectPlace,
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
