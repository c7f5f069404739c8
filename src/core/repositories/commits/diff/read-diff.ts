import { Gate } from '#kernel/crypto/gate.js';
import { GitFailure } from '../../git/git-failure.js';
import { startGit } from '../../git/git.js';
import { MAX_READ_BYTES, MAX_TIME_MS } from './diff-limits.js';
import type { DiffRecord } from './diff.record.js';
import type { PatchSection } from './patch-splitter.js';
import { RawDiffParser, type ChangedPath } from './raw-diff-parser.js';

/** What a first commit is compared with; git knows it without storing it. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The changed files, and whether some of it had to be left out. */
export interface Diff {
  readonly files: DiffRecord[];
  readonly isCut: boolean;
}

/** Where there is nothing to compare. */
export const NO_DIFF: Diff = { files: [], isCut: false };

/** Comparisons at a time in this process: they keep a core busy for as long as they are let. */
const gate = new Gate(4, 100);

const ARGS = ['diff-tree', '-r', '-M', '--raw', '-z', '-p', '--no-ext-diff', '--no-textconv'];

/**
 * Compares two commits or trees (full ids), within the limits on files, bytes and time. With `unidiff` each diff begins with the
 * names of its file. `env` is added to the environment of git.
 */
export async function readDiff(
  path: string,
  from: string,
  to: string,
  unidiff = false,
  env: Readonly<Record<string, string>> = {},
): Promise<Diff> {
  const parser = new RawDiffParser();
  const isWhole = await gate.run(() => run(path, [from, to], env, parser));
  parser.patches.end(isWhole);
  const sections = [...parser.patches.sections];
  const files = parser.paths.map((file) =>
    present(file, sections.splice(0, file.status === 'T' ? 2 : 1), unidiff),
  );
  return { files, isCut: parser.hasMore || files.some((file) => file.collapsed) };
}

/** False when git was stopped before it had written everything. */
function run(
  path: string,
  commits: readonly string[],
  env: Readonly<Record<string, string>>,
  parser: RawDiffParser,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let isStopped = false;
    let stderr = '';
    const stop = (): void => {
      isStopped = true;
      running.kill();
    };
    const timer = setTimeout(stop, MAX_TIME_MS);
    const running = startGit(
      path,
      [...ARGS, ...commits, '--'],
      { env },
      {
        output: (piece) => {
          if (isStopped) return;
          parser.push(piece);
          if (parser.isDone || parser.size > MAX_READ_BYTES) stop();
        },
        errors: (text) => {
          if (stderr.length < 4096) stderr += text;
        },
        failed: (error) => {
          clearTimeout(timer);
          reject(new GitFailure('diff-tree', 'spawn', null, error.message));
        },
        closed: (code) => {
          clearTimeout(timer);
          if (code === 0 || isStopped) resolve(code === 0);
          else reject(new GitFailure('diff-tree', 'exit', code, stderr));
        },
      },
    );
  });
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

/** The section without its header; nothing of one that changes no content. */
function hunks(section: Buffer, unidiff: boolean): string {
  const text = section.toString('utf8');
  const start = text.search(unidiff ? /^(--- |Binary files )/m : /^(@@ |Binary files )/m);
  return start < 0 ? '' : text.slice(start);
}
