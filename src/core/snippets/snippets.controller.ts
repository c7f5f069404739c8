import { Controller, Delete, Get, Headers, Post, Put, Res } from '@nestjs/common';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type Actor, CurrentCaller, CurrentActor } from '#kernel/access/caller.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsFile, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { presentSnippet, SnippetRecord } from './snippet.record.js';
import type { SnippetRow } from './snippet.row.js';
import { SnippetActionsService } from './snippet-actions.service.js';
import {
  CreateSnippetParams,
  FindSnippetParams,
  FindSnippetFileParams,
  ListAllSnippetsParams,
  ListSnippetsParams,
  UpdateSnippetParams,
} from './snippets.params.js';
import { SnippetsQueries } from './snippets.queries.js';
import { UserAgentDetailRecord } from './user-agent-detail.record.js';

/** Personal snippets, and by their ids all others (`ops.md` 4). */
@Controller('api/v4/snippets')
export class SnippetsController {
  constructor(
    private readonly actions: SnippetActionsService,
    private readonly queries: SnippetsQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ user: true })
  @ReturnsList(SnippetRecord)
  async list(
    @CurrentActor() actor: Actor,
    @Params() params: ListSnippetsParams,
    @Paged() page: Page,
  ): Promise<SnippetRecord[]> {
    return this.present(await page.load(this.queries.own(actor, params)), actor);
  }

  @Get('public')
  @Access({ anyone: true })
  @ReturnsList(SnippetRecord)
  async listPublic(
    @CurrentActor() actor: Actor | null,
    @Params() params: ListSnippetsParams,
    @Paged() page: Page,
  ): Promise<SnippetRecord[]> {
    return this.present(await page.load(this.queries.public(params)), actor);
  }

  @Get('all')
  @Access({ user: true })
  @ReturnsList(SnippetRecord)
  async listAll(
    @CurrentActor() actor: Actor,
    @Params() params: ListAllSnippetsParams,
    @Paged() page: Page,
  ): Promise<SnippetRecord[]> {
    return this.present(await page.load(this.queries.all(actor, params, page.isKeyset)), actor);
  }

  @Get(':snippet_id')
  @Access({ anyone: true })
  @Returns(SnippetRecord)
  find(
    @CurrentActor() actor: Actor | null,
    @Params() { snippet_id: id }: FindSnippetParams,
  ): Promise<SnippetRecord> {
    return this.actions.find(actor, id);
  }

  @Post()
  @Access({ user: true })
  @Returns(SnippetRecord, 201)
  create(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CreateSnippetParams,
    @Headers('user-agent') userAgent?: string,
  ): Promise<SnippetRecord> {
    return this.actions.create(caller, null, params, userAgent);
  }

  @Put(':snippet_id')
  @Access({ user: true })
  @Returns(SnippetRecord)
  update(@CurrentCaller() caller: UserCaller, @Params() params: UpdateSnippetParams): Promise<SnippetRecord> {
    return this.actions.update(caller, params);
  }

  @Delete(':snippet_id')
  @Access({ user: true })
  @ReturnsNothing()
  remove(
    @CurrentActor() actor: Actor,
    @Params() { snippet_id: id }: FindSnippetParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.actions.remove(actor, id, unmodified);
  }

  @Get(':snippet_id/raw')
  @Access({ anyone: true })
  @ReturnsFile()
  raw(
    @CurrentActor() actor: Actor | null,
    @Params() { snippet_id: id }: FindSnippetParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.actions.raw(response, actor, id);
  }

  @Get(':snippet_id/files/:ref/:file_path/raw')
  @Access({ anyone: true })
  @ReturnsFile()
  rawFile(
    @CurrentActor() actor: Actor | null,
    @Params() params: FindSnippetFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.actions.rawFile(response, actor, params);
  }

  @Get(':snippet_id/user_agent_detail')
  @Access({ admin: true })
  @Returns(UserAgentDetailRecord)
  userAgentDetail(
    @CurrentActor() actor: Actor,
    @Params() { snippet_id: id }: FindSnippetParams,
  ): Promise<UserAgentDetailRecord> {
    return this.actions.userAgentDetail(actor, id);
  }

  private present(rows: readonly SnippetRow[], actor: Actor | null): SnippetRecord[] {
    return rows.map((row) => presentSnippet(row, actor?.admin === true, this.links));
  }
}
