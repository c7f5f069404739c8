import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type ProjectCaller,
  type Actor,
  type ProjectSubject,
  CurrentCaller,
  CurrentActor,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { UserBasicRecord } from '#core/users/records/user-basic.record.js';
import {
  ListProjectGroupsParams,
  ListProjectUsersParams,
  ListStarrersParams,
} from './project-people.params.js';
import { ProjectGroupRecord, StarrerRecord } from './project-people.record.js';
import { ProjectPeopleQueries } from './project-people.queries.js';

/** Users and groups of a project. */
@Controller('api/v4/projects/:id')
export class ProjectPeopleController {
  constructor(private readonly people: ProjectPeopleQueries) {}

  @Get('starrers')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @ReturnsList(StarrerRecord)
  starrers(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentActor() actor: Actor | null,
    @Params() params: ListStarrersParams,
    @Paged() page: Page,
  ): Promise<StarrerRecord[]> {
    return this.people.starrers(page, id, actor, params);
  }

  @Get('users')
  @Access({ project: Role.Guest, publicRead: true })
  @ReturnsList(UserBasicRecord)
  users(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ListProjectUsersParams,
    @Paged() page: Page,
  ): Promise<UserBasicRecord[]> {
    return this.people.users(page, caller, params);
  }

  @Get('groups')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @ReturnsList(ProjectGroupRecord)
  groups(
    @CurrentProject() project: ProjectSubject,
    @CurrentActor() actor: Actor | null,
    @Params() params: ListProjectGroupsParams,
    @Paged() page: Page,
  ): Promise<ProjectGroupRecord[]> {
    return this.people.groups(page, project, actor, params);
  }
}
