import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitText } from '#core/repositories/git/git.js';
import { SourceRefused } from '../../source/source-errors.js';
import { isMisleadingRef, type GitAccess } from './remote-refs.js';

const TIMEOUT_MS = 3 * 3_600_000;
const LOOK_EVERY_MS = 1_000;

/** All received objects are checked; harmless errors of old programs are tolerated. */
const CHECKS = [
  'fetch.fsckObjects=true',
  'fetch.fsck.badTimezone=ignore',
  'fetch.fsck.missingSpaceBeforeDate=ignore',
  'fetch.fsck.zeroPaddedFilemode=ignore',
  // Always keep a pack, whose size can be monitored.
  'fetch.unpackLimit=1',
].flatMap((setting) => ['-c', setting]);

const FETCH = [
  'fetch',
  '--quiet',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-tags',
  '--no-recurse-submodules',
];

/**
 * Only branches and tags: refs of merge requests and pipelines are created here. Refs pushed in the meantime
 * are not overwritten.
 */
const REFS = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];

/** What to fetch, and its size limit. */
export interface Fetch {
  readonly access: GitAccess;
  /** Refs to leave out. */
  readonly without: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Refs to fetch, with their destinations; branches and tags by default. */
  readonly only?: readonly string[];
}

/**
 * Fetches a repository of the source into a local bare one. @throws GitFailure; SourceRefused if it is too
 * large
 */
export async function fetchRepository(
  path: string,
  { access, without, maxBytes, signal, only = REFS }: Fetch,
): Promise<void> {
  const { config, env, url } = access;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  const packs = join(path, 'objects/pack');
  const others = new Set(await entries(packs));
  const before = await bytesIn(packs);
  const timer = setInterval(() => {
    void bytesIn(packs).then((bytes) => {
      if (bytes - before > maxBytes) stop.abort(new SourceRefused('The repository is too large'));
    });
  }, LOOK_EVERY_MS);
  const refs = [...only, ...without.map((name) => `^${name}`)];
  try {
    await git(path, [...config, ...CHECKS, ...FETCH, '--', url, ...refs], {
      env,
      signal: stop.signal,
      timeoutMs: TIMEOUT_MS,
      kind: 'long',
    });
  } catch (error) {
    await removeRests(packs, others);
    throw error;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    await removeMisleading(path);
  }
}

/** A source may send other refs than it listed: names are checked again after the fetch. */
async function removeMisleading(path: string): Promise<void> {
  const listed = await gitText(path, ['for-each-ref', '--format=%(refname)', 'refs/heads/', 'refs/tags/']);
  const wrong = listed.split('\n').filter((name) => name !== '' && isMisleadingRef(name));
  if (wrong.length === 0) return;
  const input = wrong.map((name) => `delete ${name}\0\0`).join('');
  await git(path, ['update-ref', '--no-deref', '-z', '--stdin'], { input });
}

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await entries(folder))
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    );
  return bytes;
}

/**
 * Removes partial packs of a killed process; files that existed before belong to others, possibly still
 * running.
 */
async function removeRests(folder: string, others: ReadonlySet<string>): Promise<void> {
  for (const name of await entries(folder))
    if (name.startsWith('tmp_') && !others.has(name)) await rm(join(folder, name), { force: true });
}
