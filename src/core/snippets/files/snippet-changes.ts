import { createHash } from 'node:crypto';
import { badRequest, invalid, missingAttribute, type HttpError } from '#kernel/http/errors.js';
import { isFilePath, type TreeChange } from '#core/repositories/git/build-commit.js';
import type { TreeEntry } from '#core/repositories/git/tree-entries.js';
import { MAX_FILES, TOO_FEW_FILES, TOO_MANY_FILES } from './snippet-limits.js';
import type { SnippetFileAction } from '../snippets.params.js';

const PLAIN_FILE = '100644';

/** New state of a file: an object of the repository, or new content. */
type File = { readonly mode: string; readonly blob: string; readonly content?: Buffer };

const EXISTS = 'A file with this name already exists';
const MISSING = "A file with this name doesn't exist";
const NOT_A_PATH = 'should be a valid file path';

/** Error 400 about one attribute of one action. */
const problem = (index: number, name: string, text: string): HttpError =>
  invalid({ [`files[${index}]`]: { [name]: [text] } });

/**
 * Computes the tree changes of actions applied in order; empty if nothing changes.
 * @throws 400 if a path is invalid, taken or missing, or there would be too few or too many files
 */
export function treeChanges(
  entries: readonly TreeEntry[],
  actions: readonly SnippetFileAction[],
): TreeChange[] {
  const before = new Map(entries.map(({ path, mode, id }): [string, File] => [path, { mode, blob: id }]));
  const files = new Map(before);
  for (const [index, action] of actions.entries()) apply(files, action, index);
  if (files.size === 0) throw badRequest(TOO_FEW_FILES);
  if (files.size > MAX_FILES) throw badRequest(TOO_MANY_FILES);
  const removed = [...before.keys()].filter((path) => !files.has(path));
  const written = [...files].filter(([path, file]) => !isSame(before.get(path), file));
  // Removals first: a folder may replace a file.
  return [
    ...removed.map((path) => ({ path, remove: true }) as const),
    ...written.map(([path, { mode, blob, content }]) => (content ? { path, content } : { path, mode, blob })),
  ];
}

const isSame = (one: File | undefined, other: File): boolean =>
  one?.blob === other.blob && one.mode === other.mode;

function apply(files: Map<string, File>, action: SnippetFileAction, index: number): void {
  const { action: kind, file_path: path, previous_path: previous, content } = action;
  const isGiven = content !== undefined && content !== '';
  if (!isGiven && (kind === 'create' || kind === 'update'))
    throw missingAttribute(`files[${index}][content]`);
  if (kind === 'move' && !previous) throw missingAttribute(`files[${index}][previous_path]`);
  if (!isFilePath(path)) throw problem(index, 'file_path', NOT_A_PATH);
  const from = kind === 'move' ? (previous ?? '') : path;
  const old = files.get(from);
  if (kind !== 'create' && !old)
    throw problem(index, kind === 'move' ? 'previous_path' : 'file_path', MISSING);
  if (kind === 'delete' || kind === 'move') files.delete(from);
  if (kind === 'delete') return;
  if (kind !== 'update' && isTaken(files, path)) throw problem(index, 'file_path', EXISTS);
  files.set(path, isGiven ? written(content, kind === 'update' ? old : undefined) : (old as File));
}

/** Returns whether there is a file or folder with the name, or a file in place of one of its folders. */
const isTaken = (files: ReadonlyMap<string, File>, path: string): boolean =>
  [...files.keys()].some(
    (known) => known === path || known.startsWith(`${path}/`) || path.startsWith(`${known}/`),
  );

/** New content; a regular file keeps its executable flag, anything else becomes a regular file. */
function written(text: string, old: File | undefined): File {
  const content = Buffer.from(text);
  const blob = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const mode = old?.mode === '100755' ? old.mode : PLAIN_FILE;
  return { mode, blob, content };
}
