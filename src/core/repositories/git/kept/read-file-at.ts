import { findInTree } from '../../objects/raw-tree.js';
import { askGit } from './ask-git.js';
import { MAX_KEPT_CONTENT } from './kept-answer.js';

/** A file of a commit. */
interface FileAt {
  /** In the notation of trees. */
  readonly mode: string;
  readonly content: Buffer;
}

/**
 * Reads a small file of a commit (a full id) from a small folder without a separate process; null if it does
 * not exist, is not a file, or needs one.
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
