import { Controller, Delete, Get, Headers, Post, Put, Res } from '@nestjs/common';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type UserCaller,
  type Actor,
  type ProjectSubject,
  CurrentCaller,
  CurrentActor,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsFile, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { presentSnippet, SnippetRecord } from './snippet.record.js';
import { SnippetActionsService } from './snippet-actions.service.js';
import {
  CreateSnippetParams,
  FindSnippetParams,
  FindSnippetFileParams,
  UpdateSnippetParams,
} from './snippets.params.js';
import { SnippetsQueries } from './snippets.queries.js';
import { UserAgentDetailRecord } from './user-agent-detail.record.js';

const READ = { project: Role.Guest, publicRead: true, anyone: true, feature: 'snippets' } as const;
const WRITE = { project: Role.Reporter, feature: 'snippets' } as const;

/** Snippets of a project (`ops.md` 4). */
@Controller('api/v4/projects/:id/snippets')
export class ProjectSnippetsController {
  constructor(
    private readonly actions: SnippetActionsService,
    private readonly queries: SnippetsQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(READ)
  @ReturnsList(SnippetRecord)
  async list(
    @CurrentCaller() { actor, role }: Caller,
    @CurrentProject() project: ProjectSubject,
    @Paged() page: Page,
  ): Promise<SnippetRecord[]> {
    const rows = await page.load(this.queries.ofProject(project.id, role, actor));
    return rows.map((row) => presentSnippet(row, actor?.admin === true, this.links));
  }

  @Get(':snippet_id')
  @Access(READ)
  @Returns(SnippetRecord)
  find(
    @CurrentActor() actor: Actor | null,
    @CurrentProject() project: ProjectSubject,
    @Params() { snippet_id: id }: FindSnippetParams,
  ): Promise<SnippetRecord> {
    return this.actions.find(actor, id, project.id);
  }

  @Post()
  @Access(WRITE)
  @Returns(SnippetRecord, 201)
  create(
    @CurrentCaller() caller: UserCaller,
    @CurrentProject() project: ProjectSubject,
    @Params() params: CreateSnippetParams,
    @Headers('user-agent') userAgent?: string,
  ): Promise<SnippetRecord> {
    return this.actions.create(caller, project.id, params, userAgent);
  }

  @Put(':snippet_id')
  @Access(WRITE)
  @Returns(SnippetRecord)
  update(
    @CurrentCaller() caller: UserCaller,
    @CurrentProject() project: ProjectSubject,
    @Params() params: UpdateSnippetParams,
  ): Promise<SnippetRecord> {
    return this.actions.update(caller, params, project.id);
  }

  @Delete(':snippet_id')
  @Access(WRITE)
  @ReturnsNothing()
  remove(
    @CurrentActor() actor: Actor,
    @CurrentProject() project: ProjectSubject,
    @Params() { snippet_id: id }: FindSnippetParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.actions.remove(actor, id, unmodified, project.id);
  }

  @Get(':snippet_id/raw')
  @Access(READ)
  @ReturnsFile()
  raw(
    @CurrentActor() actor: Actor | null,
    @CurrentProject() project: ProjectSubject,
    @Params() { snippet_id: id }: FindSnippetParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.actions.raw(response, actor, id, project.id);
  }

  @Get(':snippet_id/files/:ref/:file_path/raw')
  @Access(READ)
  @ReturnsFile()
  rawFile(
    @CurrentActor() actor: Actor | null,
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindSnippetFileParams,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    return this.actions.rawFile(response, actor, params, project.id);
  }

  @Get(':snippet_id/user_agent_detail')
  @Access({ project: Role.Admin, feature: 'snippets' })
  @Returns(UserAgentDetailRecord)
  userAgentDetail(
    @CurrentActor() actor: Actor,
    @CurrentProject() project: ProjectSubject,
    @Params() { snippet_id: id }: FindSnippetParams,
  ): Promise<UserAgentDetailRecord> {
    return this.actions.userAgentDetail(actor, id, project.id);
  }
}
