import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { HttpError } from '#kernel/http/errors.js';
import { streamGit } from './stream-git.js';
import { LITERAL_PATHS, parseEntry } from './tree-entries.js';
import { tooManyEntries, walkTree } from './walk-tree.js';

/**
 * Limit of bytes of all files in an archive: a tiny repository can name the same large file any number of
 * times.
 */
export const MAX_ARCHIVE_BYTES = 16 * 1024 ** 3;

const MEASURE_MS = 50_000;

/** Options of an archive. */
export interface Archive {
  /** Full id of a commit. */
  readonly commit: string;
  /** Limits the archive to this folder or file; empty for all. */
  readonly path: string;
  readonly format: 'tar' | 'tar.gz' | 'zip';
  /** Prepended to each name. */
  readonly prefix: string;
}

/** A folder of this package in which no name of a repository exists. */
const NOWHERE = join(PACKAGE_ROOT, 'hooks');

/**
 * Packs a commit. Ignores its attributes: git looks them up in an empty folder, and so need not load the whole
 * tree.
 * @throws 422 if it is too large, before packing starts
 */
export async function openArchive(
  repositoryPath: string,
  { commit, path, format, prefix }: Archive,
): Promise<Readable> {
  const paths = path === '' ? [] : [path];
  await measure(repositoryPath, commit, paths);
  const args = ['-C', NOWHERE, 'archive', '--worktree-attributes', `--format=${format}`];
  return streamGit(repositoryPath, [...args, `--prefix=${prefix}`, commit, '--', ...paths], {
    env: LITERAL_PATHS,
    maxBytes: MAX_ARCHIVE_BYTES + MAX_ARCHIVE_BYTES / 8,
  });
}

async function measure(repositoryPath: string, commit: string, paths: string[]): Promise<void> {
  let bytes = 0;
  const walk = { recursive: true, folders: true, sizes: true, paths, timeoutMs: MEASURE_MS };
  const end = await walkTree(repositoryPath, commit, walk, (line) => {
    bytes += parseEntry(line.toString('latin1'))?.size ?? 0;
    return bytes <= MAX_ARCHIVE_BYTES;
  });
  if (end === 'too many') throw tooManyEntries();
  if (end === 'enough')
    throw new HttpError(422, { message: `The files are larger than ${MAX_ARCHIVE_BYTES / 1024 ** 3} GiB` });
}
