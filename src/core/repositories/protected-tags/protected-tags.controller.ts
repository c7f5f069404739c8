import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ProtectedRefsQueries } from '../protection/protected-refs.queries.js';
import { ProtectedRefsService } from '../protection/protected-refs.service.js';
import { orMaintainers } from '../protection/protection-rights.service.js';
import { PROTECTIONS } from '../repository-access.js';
import { presentProtectedTag, ProtectedTagRecord } from './protected-tag.record.js';
import { CreateProtectedTagParams, FindProtectedTagParams } from './protected-tags.params.js';

/** Protected tags of a project. */
@Controller('api/v4/projects/:id/protected_tags')
export class ProtectedTagsController {
  constructor(
    private readonly refs: ProtectedRefsService,
    private readonly queries: ProtectedRefsQueries,
  ) {}

  @Get()
  @Access(PROTECTIONS)
  @ReturnsList(ProtectedTagRecord)
  async list(@CurrentProject() { id }: ProjectSubject, @Paged() page: Page): Promise<ProtectedTagRecord[]> {
    return (await page.load(this.queries.list(id, 'tag', undefined))).map(presentProtectedTag);
  }

  @Get(':name')
  @Access(PROTECTIONS)
  @Returns(ProtectedTagRecord)
  find(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { name }: FindProtectedTagParams,
  ): Promise<ProtectedTagRecord> {
    return this.present(id, name);
  }

  @Post()
  @Access(PROTECTIONS)
  @Returns(ProtectedTagRecord, 201)
  async create(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name, create_access_level: level, allowed_to_create: list }: CreateProtectedTagParams,
  ): Promise<ProtectedTagRecord> {
    const allowed = caller.tier >= Tier.Premium ? (list ?? []) : [];
    const right = orMaintainers({ kind: 'create', level, allowed });
    await this.refs.create(project, caller, 'tag', name, {}, [right]);
    return this.present(project.id, name);
  }

  @Delete(':name')
  @Access(PROTECTIONS)
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { name }: FindProtectedTagParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    await this.refs.remove(project, caller, 'tag', name, unmodified);
  }

  private async present(projectId: number, name: string): Promise<ProtectedTagRecord> {
    return presentProtectedTag(await this.queries.find(projectId, 'tag', name));
  }
}
