import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  CurrentCaller,
  CurrentGroup,
  CurrentProject,
  type Caller,
  type GroupSubject,
  type ProjectSubject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Params } from '#kernel/http/fields/params.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import {
  ListGroupProjectsParams,
  ListProjectsParams,
  ListUserProjectsParams,
} from './list-projects.params.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';
import { IN_GROUP, SHARED_WITH_GROUP } from './group-projects.service.js';
import { projectsBelow } from './projects-below.sql.js';
import { ProjectListQueries, type ProjectScope } from './project-list.queries.js';
import { AnyProjectRecord } from '../records/project.record.js';

/** Queries of ids, each by the index of its owner, as in `ListQuery.of`. */
const OWNED = `(select q.id from projects q where q.namespace_id = any(array(
  select x.id from namespaces x where x.owner_id = ?)) order by q.namespace_id)`;
const STARRED =
  '(select s.project_id from project_stars s where s.user_id = any(array[?::bigint]) order by s.user_id)';
const FORKS =
  '(select q.id from projects q where q.forked_from_id = any(array[?::bigint]) order by q.forked_from_id)';
const BELOW = `select p.id from ${projectsBelow('?::bigint')}`;
const NONE: ProjectScope = { ids: 'select null::bigint where false', values: [] };

/** Projects of a user, of a group, shared with a group, and forks of a project. */
@Controller('api/v4')
export class ProjectListsController {
  constructor(
    private readonly projects: ProjectListQueries,
    private readonly users: UsersQueries,
  ) {}

  @Get('users/:id/projects')
  @Access({ anyone: true })
  @ReturnsList(AnyProjectRecord)
  async ofUser(
    @CurrentCaller() caller: Caller,
    @Params() params: ListUserProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    const user = await this.users.findOwner(params.id);
    return this.projects.load(page, params, caller, { scope: { ids: OWNED, values: [user.id] } });
  }

  @Get('users/:id/starred_projects')
  @Access({ anyone: true })
  @ReturnsList(AnyProjectRecord)
  async starredBy(
    @CurrentCaller() caller: Caller,
    @Params() params: ListUserProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    const user = await this.users.findOwner(params.id);
    const isHidden = user.private_profile && caller.actor?.id !== user.id && caller.actor?.admin !== true;
    const scope = isHidden ? NONE : { ids: STARRED, values: [user.id] };
    return this.projects.load(page, params, caller, { scope });
  }

  @Get('groups/:id/projects')
  @Access({ anyone: true, group: Role.Guest, publicRead: true })
  @ReturnsList(AnyProjectRecord)
  ofGroup(
    @CurrentGroup() { id }: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListGroupProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    const own = params.include_subgroups ? BELOW : IN_GROUP;
    const scope: ProjectScope =
      params.with_shared === false
        ? { ids: own, values: [id] }
        : { ids: `${own} union ${SHARED_WITH_GROUP}`, values: [id, id] };
    return this.projects.load(page, params, caller, { scope, withAccess: false });
  }

  @Get('groups/:id/projects/shared')
  @Access({ anyone: true, group: Role.Guest, publicRead: true })
  @ReturnsList(AnyProjectRecord)
  sharedWithGroup(
    @CurrentGroup() { id }: GroupSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    const scope = { ids: SHARED_WITH_GROUP, values: [id] };
    return this.projects.load(page, params, caller, { scope, withAccess: false });
  }

  @Get('projects/:id/forks')
  @Access({ anyone: true, project: Role.Guest, publicRead: true })
  @ReturnsList(AnyProjectRecord)
  forksOf(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: ListProjectsParams,
    @Paged() page: Page,
  ): Promise<AnyProjectRecord[]> {
    return this.projects.load(page, params, caller, { scope: { ids: FORKS, values: [id] } });
  }
}
