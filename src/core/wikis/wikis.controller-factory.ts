import { Controller, Delete, Get, Post, Put, Req, type Type } from '@nestjs/common';
import { Access, type AccessRule } from '#kernel/access/access.js';
import { CurrentCaller, type Caller, type GroupSubject, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { wikiRepository, type RepositoryRef } from '#core/repositories/repository-ref.js';
import { WikiAttachmentsService } from './wiki-attachments.service.js';
import {
  presentListedPage,
  presentPage,
  WikiAttachmentRecord,
  WikiPageListRecord,
  WikiPageRecord,
} from './pages/wiki-page.record.js';
import { WikiPageHtmlPresenter } from './html/wiki-page-html.presenter.js';
import { WikiPagesService } from './pages/wiki-pages.service.js';
import { WikiPageFinder } from './pages/wiki-page.finder.js';
import {
  AttachToWikiParams,
  CreateWikiPageParams,
  FindWikiPageParams,
  ListWikiPagesParams,
  NameWikiPageParams,
  UpdateWikiPageParams,
} from './wikis.params.js';

/** The owner of a wiki. */
type WikiOwner = Pick<ProjectSubject | GroupSubject, 'kind' | 'id'>;

/** Differences between the wiki routes of projects and groups. */
interface WikiRoutes {
  /** Path of the owners. */
  readonly path: string;
  readonly read: AccessRule;
  readonly write: AccessRule;
  /** Parameter decorator for the owner that the guards have found. */
  readonly CurrentOwner: () => ParameterDecorator;
}

const wikiOf = ({ kind, id }: WikiOwner): RepositoryRef => wikiRepository(kind, id);

/**
 * Creates the wikis controller of one type of owner, all of which have the same routes. `name`: name of the
 * class.
 */
export function wikisController(name: string, { path, read, write, CurrentOwner }: WikiRoutes): Type {
  @Controller(path)
  class WikisController {
    constructor(
      private readonly reader: WikiPageFinder,
      private readonly pages: WikiPagesService,
      private readonly attachments: WikiAttachmentsService,
      private readonly html: WikiPageHtmlPresenter,
    ) {}

    @Get(':id/wikis')
    @Access(read)
    @ReturnsList(WikiPageListRecord)
    async list(
      @CurrentOwner() owner: WikiOwner,
      @Params() { with_content: withContent = false }: ListWikiPagesParams,
      @Paged() page: Page,
    ): Promise<WikiPageListRecord[]> {
      const pages = await this.reader.list(wikiOf(owner), page, withContent);
      return pages.map(presentListedPage);
    }

    @Post(':id/wikis')
    @Access(write)
    @Returns(WikiPageRecord, 201)
    async create(
      @CurrentOwner() owner: WikiOwner,
      @CurrentCaller() caller: Caller,
      @Params() params: CreateWikiPageParams,
    ): Promise<WikiPageRecord> {
      return presentPage(await this.pages.create(wikiOf(owner), caller, params));
    }

    @Post(':id/wikis/attachments')
    @RawBody()
    @Access(write)
    @Returns(WikiAttachmentRecord, 201)
    attach(
      @CurrentOwner() owner: WikiOwner,
      @CurrentCaller() caller: Caller,
      @Params() params: AttachToWikiParams,
      @Req() request: ApiRequest,
    ): Promise<WikiAttachmentRecord> {
      return this.attachments.add(wikiOf(owner), caller, request, params);
    }

    @Get(':id/wikis/:slug')
    @Access(read)
    @Returns(WikiPageRecord)
    async find(
      @CurrentOwner() owner: WikiOwner,
      @Params() params: FindWikiPageParams,
    ): Promise<WikiPageRecord> {
      const { slug, version, render_html: asHtml = false } = params;
      const page = await this.reader.find(wikiOf(owner), slug, version);
      return presentPage(
        asHtml ? { ...page, content: await this.html.render(page.content, page.format) } : page,
      );
    }

    @Put(':id/wikis/:slug')
    @Access(write)
    @Returns(WikiPageRecord)
    async update(
      @CurrentOwner() owner: WikiOwner,
      @CurrentCaller() caller: Caller,
      @Params() params: UpdateWikiPageParams,
    ): Promise<WikiPageRecord> {
      return presentPage(await this.pages.update(wikiOf(owner), caller, params));
    }

    @Delete(':id/wikis/:slug')
    @Access(write)
    @ReturnsNothing()
    async remove(
      @CurrentOwner() owner: WikiOwner,
      @CurrentCaller() caller: Caller,
      @Params() { slug }: NameWikiPageParams,
    ): Promise<void> {
      await this.pages.remove(wikiOf(owner), caller, slug);
    }
  }

  return named(WikisController, name);
}
