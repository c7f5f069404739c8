import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type UserCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ACCEPTED, MessageRecord } from '#kernel/http/message.record.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns, ReturnsList } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AnonymousListLimit } from './lists/anonymous-list.limit.js';
import { CreateProject } from './writes/create-project.use-case.js';
import { ListProjectsParams } from './lists/list-projects.params.js';
import { InitialCommitPort } from './writes/initial-commit.port.js';
import { DeleteProject } from './deletion/delete-project.use-case.js';
import { ProjectListQueries } from './lists/project-list.queries.js';
import {
  CreateProjectParams,
  CreateProjectForUserParams,
  DeleteProjectParams,
  ProjectAttributesParams,
  ReadProjectParams,
} from './projects.params.js';
import { AnyProjectRecord, ProjectRecord } from './records/project.record.js';
import { ProjectsQueries } from './projects.queries.js';
import { UpdateProject } from './writes/update-project.use-case.js';

/** Projects: lists, single projects, creation, updates, deletion. */
@Controller('api/v4/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectListQueries,
    private readonly queries: ProjectsQueries,
    private readonly creation: CreateProject,
    private readonly beginnings: InitialCommitPort,
    private readonly changes: UpdateProject,
    private readonly deletion: DeleteProject,
    private readonly limit: AnonymousListLimit,
  ) {}

  @Get()
  @Access({ anyone: true })
  @ReturnsList(AnyProjectRecord)
  async list(
    @CurrentCaller() caller: Caller,
    @Params() params: ListProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    await this.limit.admit(caller);
    return this.projects.load(page, params, caller);
  }

  @Post()
  @Access({ user: true })
  @Returns(ProjectRecord, 201)
  async create(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CreateProjectParams,
  ): Promise<ProjectRecord> {
    const id = await this.creation.create(caller, params);
    if (params.initialize_with_readme) await this.beginnings.commit(id, caller.actor.id);
    return this.queries.record(id, caller);
  }

  @Post('user/:user_id')
  @Access({ admin: true })
  @Returns(ProjectRecord, 201)
  async createFor(
    @CurrentCaller() caller: UserCaller,
    @Params() params: CreateProjectForUserParams,
  ): Promise<ProjectRecord> {
    const id = await this.creation.createFor(params.user_id, caller, params);
    if (params.initialize_with_readme) await this.beginnings.commit(id, params.user_id);
    return this.queries.record(id, caller);
  }

  @Get(':id')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @Returns(AnyProjectRecord)
  find(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ReadProjectParams,
  ): Promise<AnyProjectRecord> {
    return this.queries.recordForReading(project.id, caller, params.statistics === true);
  }

  @Put(':id')
  @Access({ project: Role.Maintainer, archived: true })
  @Returns(ProjectRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: ProjectAttributesParams,
  ): Promise<ProjectRecord> {
    await this.changes.update(project.id, caller, params);
    return this.queries.record(project.id, caller);
  }

  @Delete(':id')
  @Access({ project: Role.Owner, archived: true })
  @Returns(MessageRecord, 202)
  async remove(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: DeleteProjectParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<MessageRecord> {
    await this.deletion.delete(project.id, caller, unmodified, params.permanently_remove === true);
    return ACCEPTED;
  }
}
