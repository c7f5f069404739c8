import { badRequest, invalid, missingAttribute } from '#kernel/http/errors.js';
import { isFilePath, type TreeChange } from '../../git/build-commit.js';
import { objectIds } from '../../git/object-ids.js';
import { findEntries, type TreeEntry } from '../../git/tree-entries.js';
import { applyAction } from './apply-action.js';
import { PlannedTree, pathsToCheck } from './planned-tree.js';
import type { CommitAction } from './commit-writes.params.js';

/** Limit of depth times length of all paths: a thousand ordinary paths stay far below it. */
const MAX_FOLDER_CHARACTERS = 8 * 1024 * 1024;

/**
 * Checks actions in order against a commit (null for none) and returns their changes.
 * @throws 400 if an action is not possible
 */
export async function planChanges(
  path: string,
  parent: string | null,
  actions: readonly CommitAction[],
): Promise<TreeChange[]> {
  actions.forEach(assertComplete);
  assertFewFolders(actions);
  const tree = new PlannedTree(parent === null ? new Map() : await entriesOf(path, parent, actions));
  await assertUnchanged(path, parent, actions);
  return actions.flatMap((action) => applyAction(tree, action));
}

function assertComplete(action: CommitAction, index: number): void {
  const { file_path: path, previous_path: previous } = action;
  const name = `actions[${index}]`;
  if (!isFilePath(path)) throw invalid({ [name]: { file_path: ['should be a valid file path'] } });
  if (action.action === 'move' && previous === undefined) throw missingAttribute(`${name}[previous_path]`);
  if (previous !== undefined && previous !== '' && !isFilePath(previous))
    throw invalid({ [name]: { previous_path: ['should be a valid file path'] } });
  if (action.action === 'update' && action.content === undefined) throw missingAttribute(`${name}[content]`);
  if (action.action === 'chmod' && action.execute_filemode === undefined)
    throw missingAttribute(`${name}[execute_filemode]`);
}

/** Each parent folder of a file is stored with its whole path, so a hostile body could exhaust the memory. */
function assertFewFolders(actions: readonly CommitAction[]): void {
  const cost = (path: string): number => path.split('/').length * path.length;
  const total = actions.reduce((sum, one) => sum + cost(one.file_path) + cost(one.previous_path ?? ''), 0);
  if (total > MAX_FOLDER_CHARACTERS) throw badRequest('The paths of these actions have too many folders');
}

async function entriesOf(
  path: string,
  parent: string,
  actions: readonly CommitAction[],
): Promise<Map<string, TreeEntry>> {
  const named = actions.flatMap(({ file_path: file, previous_path: previous }) =>
    previous ? [file, previous] : [file],
  );
  const found = new Map(await findEntries(path, parent, named));
  // A file in place of a parent folder is only found by looking it up.
  const open = named.filter((one) => !found.has(one)).flatMap(pathsToCheck);
  const unknown = open.filter((one) => !found.has(one) && !named.includes(one));
  for (const [one, entry] of await findEntries(path, parent, unknown)) found.set(one, entry);
  return found;
}

/** Rejects the change of a file that has changed since the commit that the client knows. */
async function assertUnchanged(
  path: string,
  parent: string | null,
  actions: readonly CommitAction[],
): Promise<void> {
  const checked = actions.filter(
    ({ action, last_commit_id: id }) => id !== undefined && id !== '' && action !== 'create',
  );
  const expressions = checked.flatMap(({ file_path, previous_path, last_commit_id, action }) => {
    const file = action === 'move' ? (previous_path ?? file_path) : file_path;
    const seen = /^[0-9a-f]{7,40}$/i.test(last_commit_id ?? '') ? last_commit_id : '0'.repeat(40);
    return [`${seen}:${file}`, `${parent ?? '0'.repeat(40)}:${file}`];
  });
  const ids = await objectIds(path, expressions);
  for (const [index, { file_path: file }] of checked.entries())
    if (ids[2 * index] === null || ids[2 * index] !== ids[2 * index + 1])
      throw badRequest(
        `You are attempting to update a file that has changed since you started editing it: ${file}`,
      );
}
