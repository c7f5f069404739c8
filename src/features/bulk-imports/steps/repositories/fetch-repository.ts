import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TOLERATED_ERRORS } from '#core/repositories/git/git-environment.js';
import { git } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { SourceRefused } from '../../source/source-errors.js';
import {
  acceptRefs,
  BRANCHES_AND_TAGS,
  dropFetched,
  folderOf,
  intoFolder,
  MERGE_REQUEST_HEADS,
  type RefKind,
} from './fetched-refs.js';
import type { GitAccess } from './remote-refs.js';

const logger = new Logger('BulkImports');

const TIMEOUT_MS = 3 * 3_600_000;
const LOOK_EVERY_MS = 1_000;
const PACK_MS = 300_000;

/** All received objects are checked; harmless errors of old programs are tolerated. */
const CHECKS = [
  'fetch.fsckObjects=true',
  ...TOLERATED_ERRORS.map((error) => `fetch.fsck.${error}=ignore`),
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

/** What to fetch, and its size limit. */
export interface Fetch {
  readonly access: GitAccess;
  /** Refs to leave out. */
  readonly without: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A fetch of a whole repository. */
export interface WholeFetch extends Fetch {
  /** Called before the refs are created: a fetch takes hours. May throw. */
  readonly confirm?: () => Promise<void>;
}

/**
 * Fetches the branches and tags of a source into a local bare repository. Those that exist here are kept: returns
 * the names of the ones that differ. @throws GitFailure; SourceRefused if it is too large
 */
export async function fetchRepository(path: string, fetch: WholeFetch): Promise<readonly string[]> {
  await dropFetched(path);
  return fetchKind(path, fetch, BRANCHES_AND_TAGS);
}

/**
 * Fetches the heads of merge requests into a repository that has the branches; those that exist here are kept. They
 * become packed: a source may have tens of thousands. @throws GitFailure; SourceRefused if they are too large
 */
export async function fetchMergeRequestHeads(path: string, fetch: WholeFetch): Promise<void> {
  await fetchKind(path, fetch, MERGE_REQUEST_HEADS);
  try {
    await git(path, ['pack-refs', '--all'], { timeoutMs: PACK_MS, kind: 'long' });
  } catch (error) {
    // They are all there, and the next clean-up packs them.
    if (!(error instanceof GitFailure)) throw error;
    logger.warn(`The heads of merge requests in ${path} are not packed: ${error.message}`);
  }
}

async function fetchKind(path: string, { confirm, ...fetch }: WholeFetch, kind: RefKind): Promise<string[]> {
  const folder = folderOf(randomUUID());
  try {
    await fetchRefs(path, fetch, intoFolder(folder, kind));
    await confirm?.();
    return await acceptRefs(path, folder, kind);
  } finally {
    await dropFetched(path, folder);
  }
}

/**
 * Fetches refs of a source to their destinations. @throws GitFailure; SourceRefused if it is too large
 */
export async function fetchRefs(
  path: string,
  { access, without, maxBytes, signal }: Fetch,
  wanted: readonly string[],
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
  const refs = [...wanted, ...without.map((name) => `^${name}`)];
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
  }
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
