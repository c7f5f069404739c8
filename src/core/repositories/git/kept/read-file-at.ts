import { findInTree } from '../../objects/raw-tree.js';
import { askGit } from './ask-git.js';
import { MAX_KEPT_CONTENT } from './kept-answer.js';

/** A file of a commit. */
interface FileAt {
  /** As trees hold it. */
  readonly mode: string;
  readonly content: Buffer;
}

/**
 * A small file of a commit (a full id) in a small folder, without a process of its own; null for what is not there, what is no file, and what has
 * to be asked of git otherwise.
 */
export async function readFileAt(
  repositoryPath: string,
  commit: string,
  path: string,
): Promise<FileAt | null> {
  const cut = path.lastIndexOf('/');
  const names = [`${commit}:${path.slice(0, Math.max(0, cut))}`, `${commit}:${path}`];
  const found = await askGit(
    repositoryPath,
    names.map((name) => ({ command: 'info', name })),
  );
  const [folder, file] = found ?? [];
  if (folder?.type !== 'tree' || file?.type !== 'blob') return null;
  if (folder.size > MAX_KEPT_CONTENT || file.size > MAX_KEPT_CONTENT) return null;
  const read = await askGit(
    repositoryPath,
    [folder, file].map(({ id }) => ({ command: 'contents', name: id })),
  );
  const [tree, blob] = read ?? [];
  if (!tree || !blob) return null;
  const name = Buffer.from(path.slice(cut + 1)).toString('latin1');
  const mode = findInTree(tree.content, new Set([name])).get(name)?.mode;
  return mode === undefined ? null : { mode, content: blob.content };
}
