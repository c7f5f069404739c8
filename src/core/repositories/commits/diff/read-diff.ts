import { GitFailure } from '../../git/git-failure.js';
import { readGit } from '../../git/processes/read-git.js';
import { MAX_READ_BYTES, MAX_TIME_MS } from './diff-limits.js';
import type { DiffRecord } from './diff.record.js';
import type { PatchSection } from './patch-splitter.js';
import { RawDiffParser, type ChangedPath } from './raw-diff-parser.js';

/** Base of first commits; git knows the empty tree without storing it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Changed files, and whether some had to be omitted. */
export interface Diff {
  readonly files: DiffRecord[];
  readonly isCut: boolean;
}

/** An empty diff. */
export const NO_DIFF: Diff = { files: [], isCut: false };

const ARGS = ['diff-tree', '-r', '-M', '--raw', '-z', '-p', '--no-ext-diff', '--no-textconv'];

/**
 * Compares two commits or trees (full ids), within limits of files, bytes and time. With `unidiff`, each diff
 * starts with the names of its file. `env` is added to git's environment.
 */
export async function readDiff(
  path: string,
  from: string,
  to: string,
  unidiff = false,
  env: Readonly<Record<string, string>> = {},
): Promise<Diff> {
  const parser = new RawDiffParser();
  const isWhole = await run(path, [from, to], env, parser);
  parser.patches.end(isWhole);
  const sections = [...parser.patches.sections];
  const files = parser.paths.map((file) =>
    present(file, sections.splice(0, file.status === 'T' ? 2 : 1), unidiff),
  );
  const isCut = parser.hasMore || (!isWhole && files.length === 0) || files.some((file) => file.collapsed);
  return { files, isCut };
}

/** Runs git; returns false if it was stopped early, because there is enough output or a limit is reached. */
async function run(
  path: string,
  commits: readonly string[],
  env: Readonly<Record<string, string>>,
  parser: RawDiffParser,
): Promise<boolean> {
  const options = { env, timeoutMs: MAX_TIME_MS };
  try {
    return await readGit(path, [...ARGS, ...commits, '--'], options, (piece) => {
      parser.push(piece);
      return !parser.isDone && parser.size <= MAX_READ_BYTES;
    });
  } catch (error) {
    if (error instanceof GitFailure && (error.reason === 'timeout' || error.reason === 'too-large'))
      return false;
    throw error;
  }
}

function present(file: ChangedPath, sections: readonly PatchSection[], unidiff: boolean): DiffRecord {
  const collapsed = sections.length === 0 || sections.some(({ state }) => state === 'collapsed');
  const tooLarge = sections.some(({ state }) => state === 'too large');
  return {
    diff: collapsed || tooLarge ? '' : sections.map(({ text }) => hunks(text, unidiff)).join(''),
    new_path: file.newPath,
    old_path: file.oldPath,
    a_mode: file.oldMode === '000000' ? '0' : file.oldMode,
    b_mode: file.newMode === '000000' ? '0' : file.newMode,
    new_file: file.status === 'A',
    renamed_file: file.status === 'R',
    deleted_file: file.status === 'D',
    too_large: tooLarge,
    collapsed,
  };
}

/** Returns a section without its header; empty if the content is unchanged. */
function hunks(section: Buffer, unidiff: boolean): string {
  const text = section.toString('utf8');
  const start = text.search(unidiff ? /^(--- |Binary files )/m : /^(@@ |Binary files )/m);
  return start < 0 ? '' : text.slice(start);
}
