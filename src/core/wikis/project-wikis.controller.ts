import { Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { RawBody } from '#kernel/http/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { PROJECT_WIKI_READ, PROJECT_WIKI_WRITE } from './wiki-access.js';
import { WikiAttachments } from './wiki-attachments.service.js';
import {
  presentListedPage,
  presentPage,
  WikiAttachmentRecord,
  WikiPageListRecord,
  WikiPageRecord,
} from './wiki-page.record.js';
import { WikiPages } from './wiki-pages.service.js';
import { WikiReader } from './wiki-reader.js';
import {
  AttachToWiki,
  CreateWikiPage,
  FindWikiPage,
  ListWikiPages,
  NameWikiPage,
  UpdateWikiPage,
} from './wikis.params.js';

/** The wiki of a project. */
@Controller('api/v4/projects')
export class ProjectWikisController {
  constructor(
    private readonly reader: WikiReader,
    private readonly pages: WikiPages,
    private readonly attachments: WikiAttachments,
  ) {}

  @Get(':id/wikis')
  @Access(PROJECT_WIKI_READ)
  @ReturnsList(WikiPageListRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() { with_content: withContent = false }: ListWikiPages,
    @Paged() page: Page,
  ): Promise<WikiPageListRecord[]> {
    const pages = await this.reader.list(wikiRepository('Project', project.id), page, withContent);
    return pages.map(presentListedPage);
  }

  @Post(':id/wikis')
  @Access(PROJECT_WIKI_WRITE)
  @Returns(WikiPageRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateWikiPage,
  ): Promise<WikiPageRecord> {
    return presentPage(await this.pages.create(wikiRepository('Project', project.id), caller, params));
  }

  @Post(':id/wikis/attachments')
  @RawBody()
  @Access(PROJECT_WIKI_WRITE)
  @Returns(WikiAttachmentRecord, 201)
  attach(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: AttachToWiki,
    @Req() request: ApiRequest,
  ): Promise<WikiAttachmentRecord> {
    return this.attachments.add(wikiRepository('Project', project.id), caller, request, params);
  }

  @Get(':id/wikis/:slug')
  @Access(PROJECT_WIKI_READ)
  @Returns(WikiPageRecord)
  async find(
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindWikiPage,
  ): Promise<WikiPageRecord> {
    const { slug, version, render_html: asHtml = false } = params;
    const page = await this.reader.find(wikiRepository('Project', project.id), slug, version);
    return presentPage(page, asHtml);
  }

  @Put(':id/wikis/:slug')
  @Access(PROJECT_WIKI_WRITE)
  @Returns(WikiPageRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateWikiPage,
  ): Promise<WikiPageRecord> {
    return presentPage(await this.pages.update(wikiRepository('Project', project.id), caller, params));
  }

  @Delete(':id/wikis/:slug')
  @Access(PROJECT_WIKI_WRITE)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { slug }: NameWikiPage,
  ): Promise<void> {
    await this.pages.remove(wikiRepository('Project', project.id), caller, slug);
  }
}
