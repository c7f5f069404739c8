import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type UserCaller, type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { ProjectRecord } from '#core/projects/records/project.record.js';
import { ProjectsQueries } from '#core/projects/projects.queries.js';
import { ForkProjectParams } from './fork-project.params.js';
import { ForksService } from './forks.service.js';

/** Forks of projects; users who may read the code may create one. */
@Controller('api/v4/projects/:id/fork')
export class ForksController {
  constructor(
    private readonly forks: ForksService,
    private readonly projects: ProjectsQueries,
  ) {}

  @Post()
  @Access({ project: Role.Reporter, publicRead: true, feature: 'repository' })
  @Returns(ProjectRecord, 201)
  async fork(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: ForkProjectParams,
  ): Promise<ProjectRecord> {
    return this.projects.record(await this.forks.fork(caller, params), caller);
  }
}
