import { EMPTY_TREE } from '#core/repositories/commits/diff/read-diff.js';
import { git } from '#core/repositories/git/git.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { pageNameOf, type WikiFormat } from './wiki-formats.js';
import type { WikiAction } from '../wiki-page-changed.event.js';

/** A page affected by a change of the branch. */
export interface ChangedPage {
  readonly action: WikiAction;
  readonly slug: string;
  readonly format: WikiFormat;
  readonly version: string;
}

/** Limit of pages published per push. */
const MAX_PAGES = 100;

const MAX_BYTES = 8 * 1024 * 1024;

/** Returns the pages that differ; a renamed page counts as updated. @throws GitFailure */
export async function changedPages(
  repositoryPath: string,
  { before, after }: RefChange,
): Promise<ChangedPage[]> {
  const trees = [before, after].map((id) => (id === NO_OBJECT ? EMPTY_TREE : id));
  const options = ['-r', '-z', '--name-status', '--find-renames', '-l200', '--no-ext-diff', '--no-textconv'];
  const output = await git(repositoryPath, ['diff-tree', ...options, '--end-of-options', ...trees, '--'], {
    maxBytes: MAX_BYTES,
  });
  const words = output.toString('utf8').split('\0');
  const pages: ChangedPage[] = [];
  for (let at = 0; at + 1 < words.length && pages.length < MAX_PAGES;) {
    const letter = (words[at] ?? '')[0] ?? '';
    const isMoved = letter === 'R' || letter === 'C';
    const page = pageNameOf(words[at + (isMoved ? 2 : 1)] ?? '');
    at += isMoved ? 3 : 2;
    const version = letter === 'D' ? before : after;
    if (page) pages.push({ action: actionOf(letter), ...page, version });
  }
  return pages;
}

const actionOf = (letter: string): WikiAction =>
  letter === 'A' ? 'created' : letter === 'D' ? 'destroyed' : 'updated';
