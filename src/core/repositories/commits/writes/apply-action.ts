import { badRequest } from '#kernel/http/errors.js';
import type { TreeChange } from '../../git/build-commit.js';
import type { CommitAction } from './commit-writes.params.js';
import type { PlannedTree } from './planned-tree.js';

const FILE = '100644';
const EXECUTABLE = '100755';
const SUBMODULE = '160000';

/**
 * Computes the changes of an action, and applies them to `tree`. @throws 400 if the action is not possible
 */
export function applyAction(tree: PlannedTree, action: CommitAction): TreeChange[] {
  const { file_path: path, previous_path: previous = '' } = action;
  switch (action.action) {
    case 'create':
      tree.assertFree(path);
      return [write(tree, action, FILE)];
    case 'update': {
      const { mode } = tree.file(path);
      return [write(tree, action, mode)];
    }
    case 'delete':
      tree.file(path);
      tree.remove(path);
      return [{ path, remove: true }];
    case 'move': {
      const { mode, id } = tree.file(previous);
      tree.remove(previous);
      tree.assertFree(path);
      const removal = { path: previous, remove: true } as const;
      if (action.content !== undefined) return [removal, write(tree, action, mode)];
      return [removal, keep(tree, path, withFlag(mode, action.execute_filemode), id)];
    }
    case 'chmod': {
      const { mode, id } = tree.file(path);
      return [keep(tree, path, withFlag(mode, action.execute_filemode), id)];
    }
  }
}

function write(tree: PlannedTree, action: CommitAction, mode: string): TreeChange {
  const { file_path: path, content = '', encoding = 'text', execute_filemode: flag } = action;
  if (mode === SUBMODULE) throw badRequest('A submodule cannot be updated');
  const written = withFlag(mode, flag) as '100644' | '100755' | '120000';
  tree.put(path, written, null);
  return { path, content: Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'), mode: written };
}

/** Keeps the object of a path; an object created by this commit has no id yet. */
function keep(tree: PlannedTree, path: string, mode: string, id: string | null): TreeChange {
  if (id === null) throw badRequest('A file can only be changed once in a commit');
  tree.put(path, mode, id);
  return { path, blob: id, mode };
}

/** Sets the executable flag; only regular files have one. */
function withFlag(mode: string, isExecutable: boolean | undefined): string {
  if (isExecutable === undefined || (mode !== FILE && mode !== EXECUTABLE)) return mode;
  return isExecutable ? EXECUTABLE : FILE;
}
