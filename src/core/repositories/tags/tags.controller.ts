import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { REPOSITORY_READ, REPOSITORY_WRITE } from '../repository-access.js';
import { presentTag, TagRecord } from './tag.record.js';
import { CreateTagParams, FindTagParams, ListTagsParams } from './tags.params.js';
import { TagsQueries } from './tags.queries.js';
import { TagsService } from './tags.service.js';

/** Tags of a project. */
@Controller('api/v4/projects/:id/repository/tags')
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly queries: TagsQueries,
    private readonly links: Links,
  ) {}

  @Get()
  @Access(REPOSITORY_READ)
  @ReturnsList(TagRecord)
  async list(
    @CurrentProject() project: ProjectSubject,
    @Params() params: ListTagsParams,
    @Paged() page: Page,
  ): Promise<TagRecord[]> {
    const tags = await this.queries.list(project, params, page);
    return tags.map((tag) => presentTag(tag, this.links.project(project.fullPath)));
  }

  @Get(':tag_name')
  @Access(REPOSITORY_READ)
  @Returns(TagRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @Params() { tag_name: name }: FindTagParams,
  ): Promise<TagRecord> {
    return this.present(project, name);
  }

  @Post()
  @Access(REPOSITORY_WRITE)
  @Returns(TagRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: CreateTagParams,
  ): Promise<TagRecord> {
    await this.tags.create(project, caller, params);
    return this.present(project, params.tag_name);
  }

  /** Removes a tag; callers who may not change it may not remove it. */
  @Delete(':tag_name')
  @Access({ ...REPOSITORY_WRITE, project: Role.Maintainer })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { tag_name: name }: FindTagParams,
  ): Promise<void> {
    await this.tags.remove(project, caller, name);
  }

  private async present(project: ProjectSubject, name: string): Promise<TagRecord> {
    const tag = await this.queries.find(project, name);
    if (!tag) throw notFound('Tag');
    return presentTag(tag, this.links.project(project.fullPath));
  }
}
