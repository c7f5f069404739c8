import { Injectable } from '@nestjs/common';
import { badRequest, notFound } from '#kernel/http/errors.js';
import type { Page } from '#kernel/http/paging/page.js';
import { isFilePath } from '#core/repositories/git/build-commit.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import { peel } from '#core/repositories/git/resolve.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { pagePaths } from './wiki-formats.js';
import type { WikiPage } from './wiki-page.record.js';
import { MAX_PAGE_BYTES, pageOf, pagesOf, readTree, type PageFile } from './wiki-tree.js';

/** Limit of bytes of all pages in a response. */
const MAX_LIST_BYTES = 16 * 1024 * 1024;

const TOO_LARGE = 'The pages of this answer are too large together. Ask for fewer with per_page.';

/** Name of a missing page in errors. */
export const WIKI_PAGE = 'Wiki Page';

/** Reads pages of wikis. */
@Injectable()
export class WikiPageFinder {
  constructor(private readonly repositories: RepositoriesService) {}

  /** Returns the pages of a list, by slug. @throws 400 if their contents exceed the limit of a response */
  async list(wiki: RepositoryRef, page: Page, withContent: boolean): Promise<WikiPage[]> {
    const repository = await this.repositories.openOrNull(wiki);
    const commit = repository && (await peel(repository.path, 'HEAD'));
    const files = commit ? page.slice(pagesOf(await readTree(repository.path, commit))) : page.slice([]);
    if (!withContent || !repository) return files.map(({ slug, format }) => ({ slug, format }));
    const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0);
    if (bytes > MAX_LIST_BYTES) throw badRequest(TOO_LARGE);
    const contents = await readContents(repository.path, files);
    return files.map(({ slug, format }, index) => ({ slug, format, content: contents[index] ?? '' }));
  }

  /** Returns a page of the newest commit, or of the one with the given SHA. @throws 404 */
  async find(
    wiki: RepositoryRef,
    slug: string,
    version = 'HEAD',
  ): Promise<WikiPage & { readonly content: string }> {
    const repository = await this.repositories.open(wiki, WIKI_PAGE);
    const isVersion = version === 'HEAD' || /^[0-9a-f]{7,40}$/i.test(version);
    const commit = isVersion ? await peel(repository.path, version) : null;
    const file = commit && (await findPage(repository.path, commit, slug));
    if (!file) throw notFound(WIKI_PAGE);
    const [content = ''] = await readContents(repository.path, [file]);
    return { slug: file.slug, format: file.format, content };
  }
}

/** Finds the page with a slug in any format, or null. */
async function findPage(repositoryPath: string, commit: string, slug: string): Promise<PageFile | null> {
  // Names of pushed pages may contain blanks; clients may send titles as slugs.
  const slugs = [...new Set([slug, slug.replaceAll(' ', '-')])].filter(isFilePath);
  const paths = slugs.flatMap(pagePaths);
  if (paths.length === 0) return null;
  const files = await readTree(repositoryPath, commit, paths);
  const pages = new Map(files.flatMap((file) => pageOf(file) ?? []).map((page) => [page.path, page]));
  return paths.map((path) => pages.get(path)).find((page) => page !== undefined) ?? null;
}

/** Reads the contents of pages as text. */
async function readContents(repositoryPath: string, files: readonly PageFile[]): Promise<string[]> {
  const ids = files.map(({ blob }) => blob);
  const blobs = await readBlobs(repositoryPath, ids, Math.max(MAX_LIST_BYTES, MAX_PAGE_BYTES));
  return blobs.map((blob) => blob?.toString('utf8') ?? '');
}
