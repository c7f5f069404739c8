import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { invalid, missingAttribute, notFound } from '#kernel/http/errors.js';
import { hasChange } from '#kernel/http/fields/require-change.js';
import { isFilePath, type TreeChange } from '#core/repositories/git/build-commit.js';
import { readBlobs } from '#core/repositories/git/read-blobs.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { WikiEditsService, type LookInto } from './wiki-edits.service.js';
import { pagePath, pagePaths } from './wiki-formats.js';
import type { WikiPage } from './wiki-page.record.js';
import { WIKI_PAGE } from './wiki-page.finder.js';
import { renamedSlug, slugOfTitle, titleOfSlug } from './wiki-title.js';
import { isTaken, MAX_PAGE_BYTES, pageOf, type PageFile } from './wiki-tree.js';
import type { CreateWikiPageParams, UpdateWikiPageParams } from '../wikis.params.js';

/** A page that was just written. */
type WrittenPage = WikiPage & { readonly content: string };

/** Writes pages of wikis; each change is a commit by the caller. */
@Injectable()
export class WikiPagesService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly edits: WikiEditsService,
  ) {}

  /**
   * Creates a page, and the wiki with its first page. @throws 400 if the title is taken or invalid, or the
   * content is missing or too long
   */
  async create(
    wiki: RepositoryRef,
    caller: Caller,
    { title, content, format = 'markdown' }: CreateWikiPageParams,
  ): Promise<WrittenPage> {
    refuseBlank({ title, content });
    const slug = slugOfTitle(title);
    const path = pagePath(slug, format);
    const repository = await this.repositories.ensure(wiki);
    return this.edits.commit(repository, caller, async (look) => {
      if (isTaken(await look([path]), path)) throw duplicate();
      return {
        changes: [{ path, content: Buffer.from(content) }],
        message: messageOf(caller, 'created', slug),
        result: { slug, format, content },
      };
    });
  }

  /** Updates content, title or format of a page. @throws 400 as create, 404 */
  async update(wiki: RepositoryRef, caller: Caller, params: UpdateWikiPageParams): Promise<WrittenPage> {
    const { slug: wanted, content, title, format } = params;
    if (!hasChange(params, 'slug')) throw missingAttribute('content');
    refuseBlank({ title, content });
    const repository = await this.repositories.open(wiki, WIKI_PAGE);
    return this.edits.commit(repository, caller, async (look) => {
      const page = await findIn(look, wanted);
      const slug = title === undefined ? page.slug : renamedSlug(page.slug, title);
      const isSame = slug === page.slug && (format ?? page.format) === page.format;
      const path = isSame ? page.path : pagePath(slug, format ?? page.format);
      if (!isSame && isTaken(await look([path]), path, page.path)) throw duplicate();
      const former = await contentOf(repository.path, page);
      return {
        changes: changesOf(page, path, content === former ? undefined : content),
        message: messageOf(caller, 'updated', slug),
        result: { slug, format: format ?? page.format, content: content ?? former },
      };
    });
  }

  /** Removes a page. @throws 404 */
  async remove(wiki: RepositoryRef, caller: Caller, slug: string): Promise<void> {
    const repository = await this.repositories.open(wiki, WIKI_PAGE);
    await this.edits.commit(repository, caller, async (look) => {
      const page = await findIn(look, slug);
      return {
        changes: [{ path: page.path, remove: true }],
        message: messageOf(caller, 'deleted', page.slug),
        result: undefined,
      };
    });
  }
}

const duplicate = (): Error => invalid({ base: ['Duplicate page: A page with that title already exists'] });

function refuseBlank({ title, content }: { title?: string | undefined; content?: string | undefined }): void {
  const problems: Record<string, string[]> = {};
  if (title?.trim() === '') problems['title'] = ["can't be blank"];
  if (content?.trim() === '') problems['content'] = ["can't be blank"];
  else if (content !== undefined && Buffer.byteLength(content) > MAX_PAGE_BYTES)
    problems['content'] = [`is too long (maximum is ${MAX_PAGE_BYTES} bytes)`];
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

/** Finds the page with a slug; the default extension wins, as in reading. @throws 404 */
async function findIn(look: LookInto, slug: string): Promise<PageFile> {
  const paths = [...new Set([slug, slug.replaceAll(' ', '-')])].filter(isFilePath).flatMap(pagePaths);
  const files = paths.length === 0 ? [] : await look(paths);
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const path of paths) {
    const file = byPath.get(path);
    const page = file && pageOf(file);
    if (page) return page;
  }
  throw notFound(WIKI_PAGE);
}

function changesOf(page: PageFile, path: string, content: string | undefined): TreeChange[] {
  const left: TreeChange[] = path === page.path ? [] : [{ path: page.path, remove: true }];
  if (content !== undefined) return [...left, { path, content: Buffer.from(content) }];
  return left.length === 0 ? [] : [...left, { path, blob: page.blob, mode: page.mode }];
}

async function contentOf(repositoryPath: string, { blob }: PageFile): Promise<string> {
  const [content] = await readBlobs(repositoryPath, [blob], MAX_PAGE_BYTES);
  return content?.toString('utf8') ?? '';
}

const messageOf = ({ actor }: Caller, did: string, slug: string): string =>
  `${actor?.username ?? ''} ${did} page: ${titleOfSlug(slug)}`;
