import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { COUNT_LIMIT, type Page, type ReadRows } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { REPOSITORY_READ } from '../repository-access.js';
import { CommitReadingService } from '../commits/commit-reading.service.js';
import { isFilePath, trimSlashes } from '../git/build-commit.js';
import { findEntry } from '../git/tree-entries.js';
import { tooManyEntries, walkTree } from '../git/walk-tree.js';
import { ListTreeParams, TreeEntryRecord } from './tree.record.js';
import { decodeTreeToken, encodeTreeToken } from './tree-token.js';
import { TreeWindow, type RawEntry } from './tree-window.js';

/** Folder whose entries are listed. */
interface Folder {
  readonly repositoryPath: string;
  /** Id of the tree, or of the commit whose root tree it is. */
  readonly tree: string;
  /** Empty for the root, else ends with a slash. One character per byte. */
  readonly prefix: string;
  readonly recursive: boolean;
}

/** Trees of the code of a project. */
@Controller('api/v4/projects/:id/repository/tree')
export class TreeController {
  constructor(private readonly reading: CommitReadingService) {}

  @Get()
  @Access(REPOSITORY_READ)
  @ReturnsList(TreeEntryRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListTreeParams,
    @Paged({ ownKeyset: true }) page: Page,
  ): Promise<TreeEntryRecord[]> {
    const folder = await this.find(project, params);
    const entries = page.isKeyset
      ? await walk(folder, page, params.page_token)
      : await page.from('Tree', (limit, offset) => read(folder, limit, offset));
    return entries.map((entry) => present(entry, folder.prefix));
  }

  private async find(project: ProjectSubject, params: ListTreeParams): Promise<Folder> {
    const { repository, id } = await this.reading.resolveOrDefault(project, params.ref, 'Tree');
    const path = trimSlashes(params.path).replace(/^\.$/, '');
    const base = { repositoryPath: repository.path, recursive: params.recursive ?? false };
    if (path === '') return { ...base, tree: id, prefix: '' };
    const entry = isFilePath(path) ? await findEntry(repository.path, id, path) : null;
    if (entry?.type !== 'tree') throw notFound('Tree');
    return { ...base, tree: entry.id, prefix: `${Buffer.from(path).toString('latin1')}/` };
  }
}

/**
 * Reads entries until there are `enough`. @returns whether all were read. @throws 422 if there are too many
 * to find the page
 */
async function fill(
  window: TreeWindow,
  { repositoryPath, tree, recursive }: Folder,
  enough: () => boolean,
): Promise<boolean> {
  const end = await walkTree(repositoryPath, tree, { recursive, folders: true }, (line) => {
    window.add(line);
    return !enough();
  });
  if (end === 'too many') throw tooManyEntries();
  return end === 'whole';
}

async function read(folder: Folder, limit: number, offset: number): Promise<ReadRows<RawEntry>> {
  const window = new TreeWindow(offset + limit);
  // Above the count limit, only the page matters.
  const isWhole = await fill(window, folder, () => window.isFull && window.total > COUNT_LIMIT);
  const rows = (window.entries() ?? []).slice(offset, offset + limit);
  return { rows, total: isWhole ? window.total : null };
}

async function walk(folder: Folder, page: Page, text: string | undefined): Promise<RawEntry[]> {
  const token = text === undefined || text === '' ? null : decodeTreeToken(text);
  const window = new TreeWindow(page.perPage + 1, token);
  if (text && !token) throw invalid({ page_token: ['is invalid'] });
  await fill(window, folder, () => window.isFull);
  const entries = window.entries();
  if (!entries) throw invalid({ page_token: ['is invalid'] });
  const shown = entries.slice(0, page.perPage);
  const last = entries.length > page.perPage ? shown.at(-1) : undefined;
  page.walked(last ? { page_token: encodeTreeToken(last.type, last.path), page: undefined } : null);
  return shown;
}

function present({ id, type, mode, path }: RawEntry, prefix: string): TreeEntryRecord {
  const whole = Buffer.from(prefix + path, 'latin1').toString('utf8');
  return { id, name: whole.slice(whole.lastIndexOf('/') + 1), type, path: whole, mode };
}
