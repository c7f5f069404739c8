import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { MessageRecord } from '#kernel/http/message.record.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { rightsOf } from '#core/ci/jobs/job-access.js';
import { ENVIRONMENT_WRITE } from '../environment-access.js';
import { presentEnvironmentBasic } from '../environment-basic.record.js';
import { EnvironmentCleanUpService } from './environment-clean-up.service.js';
import { DeleteReviewAppsParams, StopStaleEnvironmentsParams } from '../environments.params.js';
import { EnvironmentsQueries } from '../environments.queries.js';
import { ReviewAppsRecord } from './review-apps.record.js';

const DAY_MS = 86_400_000;

/**
 * Bulk clean-up of environments; its fixed paths must be registered before `environments/:environment_id`.
 */
@Controller('api/v4/projects')
export class EnvironmentCleanUpController {
  constructor(
    private readonly cleanUp: EnvironmentCleanUpService,
    private readonly queries: EnvironmentsQueries,
  ) {}

  @Post(':id/environments/stop_stale')
  @Access({ ...ENVIRONMENT_WRITE, project: Role.Maintainer })
  @Returns(MessageRecord, 200)
  async stopStale(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { before }: StopStaleEnvironmentsParams,
  ): Promise<MessageRecord> {
    await this.cleanUp.stopStale(project.id, before, rightsOf(caller));
    return { message: 'Successfully requested stop for all stale environments' };
  }

  @Delete(':id/environments/review_apps')
  @Access(ENVIRONMENT_WRITE)
  @Returns(ReviewAppsRecord)
  async deleteReviewApps(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { before, limit = 100, dry_run: isTrial = true }: DeleteReviewAppsParams,
  ): Promise<ReviewAppsRecord> {
    const asked = { before: before ?? new Date(Date.now() - 30 * DAY_MS), limit, isTrial };
    const ids = await this.cleanUp.removeReviewApps(project.id, asked, rightsOf(caller));
    const rows = await this.queries.basics(project.id, ids);
    return { scheduled_entries: rows.map(presentEnvironmentBasic), unprocessable_entries: [] };
  }
}
