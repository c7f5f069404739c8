import { Controller, Get } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentGroup, type GroupSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { ReturnsList } from '#kernel/http/answers/returns.js';
import { RunnerBasicRecord } from '#core/ci/runners/runner-basic.record.js';
import { presentRunner } from './runner.record.js';
import { ListRunnersParams } from './runners.params.js';
import { RunnersQueries } from './runners.queries.js';

/** Runners of a group. */
@Controller('api/v4/groups/:id/runners')
export class GroupRunnersController {
  constructor(private readonly queries: RunnersQueries) {}

  @Get()
  @Access({ group: Role.Owner })
  @ReturnsList(RunnerBasicRecord)
  async list(
    @CurrentGroup() group: GroupSubject,
    @Params() params: ListRunnersParams,
    @Paged() page: Page,
  ): Promise<RunnerBasicRecord[]> {
    return (await page.load(this.queries.ofGroup(group, params))).map(presentRunner);
  }
}
