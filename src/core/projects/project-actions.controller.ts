import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type UserCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { DeleteProject } from './deletion/delete-project.use-case.js';
import { ShareProjectParams, TransferProjectParams, UnshareProjectParams } from './projects.params.js';
import { ProjectShareRecord } from './people/project-share.record.js';
import { ProjectSharesService } from './people/project-shares.service.js';
import { ProjectStarsService } from './people/project-stars.service.js';
import { ProjectRecord } from './records/project.record.js';
import { ProjectsQueries } from './projects.queries.js';
import { TransferProject } from './writes/transfer-project.use-case.js';
import { UpdateProject } from './writes/update-project.use-case.js';

/** Actions on a project as a whole. */
@Controller('api/v4/projects/:id')
export class ProjectActionsController {
  constructor(
    private readonly queries: ProjectsQueries,
    private readonly changes: UpdateProject,
    private readonly deletion: DeleteProject,
    private readonly stars: ProjectStarsService,
    private readonly shares: ProjectSharesService,
    private readonly transfers: TransferProject,
  ) {}

  @Post('archive')
  @Access({ project: Role.Owner, archived: true })
  @Returns(ProjectRecord, 201)
  async archive(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ProjectRecord> {
    await this.changes.archive(id, caller, true);
    return this.queries.record(id, caller);
  }

  @Post('unarchive')
  @Access({ project: Role.Owner, archived: true })
  @Returns(ProjectRecord, 201)
  async unarchive(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ProjectRecord> {
    await this.changes.archive(id, caller, false);
    return this.queries.record(id, caller);
  }

  @Post('restore')
  @Access({ project: Role.Owner, tier: Tier.Premium, archived: true })
  @Returns(ProjectRecord, 201)
  async restore(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ProjectRecord> {
    await this.deletion.restore(id, caller.actor);
    return this.queries.record(id, caller);
  }

  @Post('star')
  @Access({ project: Role.None, archived: true })
  @Returns(ProjectRecord, 201)
  @Refuses({ 304: 'Was starred before' })
  async star(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ProjectRecord> {
    await this.stars.star(id, caller.actor.id);
    return this.queries.record(id, caller);
  }

  @Post('unstar')
  @Access({ project: Role.None, archived: true })
  @Returns(ProjectRecord, 201)
  @Refuses({ 304: 'Was not starred' })
  async unstar(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
  ): Promise<ProjectRecord> {
    await this.stars.unstar(id, caller.actor.id);
    return this.queries.record(id, caller);
  }

  @Put('transfer')
  @Access({ project: Role.Owner, archived: true })
  @Returns(ProjectRecord)
  async transfer(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() { namespace }: TransferProjectParams,
  ): Promise<ProjectRecord> {
    await this.transfers.run(id, caller.actor, namespace);
    return this.queries.record(id, caller);
  }

  @Post('share')
  @Access({ project: Role.Maintainer })
  @Returns(ProjectShareRecord, 201)
  share(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: ShareProjectParams,
  ): Promise<ProjectShareRecord> {
    return this.shares.share(project, caller, params);
  }

  @Delete('share/:group_id')
  @Access({ project: Role.Maintainer, archived: true })
  @ReturnsNothing()
  unshare(
    @CurrentProject() { id }: ProjectSubject,
    @CurrentCaller() caller: UserCaller,
    @Params() params: UnshareProjectParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.shares.unshare(id, params.group_id, caller, unmodified);
  }
}
