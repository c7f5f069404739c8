import { Controller, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { freezeOverride } from '../freeze-override.params.js';
import { JOB_WRITE, rightsOf } from '../job-access.js';
import { JobActionsService } from './job-actions.service.js';
import { EraseJob } from './erase-job.use-case.js';
import { JobQueries } from '../job.queries.js';
import { JobRecord, presentJob } from '../job.record.js';
import type { JobRow } from '../job.row.js';
import { FindJobParams, PlayJobParams } from '../jobs.params.js';

/** Actions on jobs (`ci.md` 5.2). */
@Controller('api/v4/projects/:id/jobs/:job_id')
export class JobActionsController {
  constructor(
    private readonly actions: JobActionsService,
    private readonly erasing: EraseJob,
    private readonly queries: JobQueries,
    private readonly links: Links,
  ) {}

  @Post('cancel')
  @Access(JOB_WRITE)
  @Returns(JobRecord, 201)
  cancel(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { job_id: id }: FindJobParams,
  ): Promise<JobRecord> {
    return this.after(project, id, () => this.actions.cancel(project.id, id, rightsOf(caller)));
  }

  @Post('retry')
  @Access(JOB_WRITE)
  @Returns(JobRecord, 201)
  retry(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { job_id: id }: FindJobParams,
  ): Promise<JobRecord> {
    return this.after(project, id, () => this.actions.retry(project.id, id, rightsOf(caller)));
  }

  @Post('erase')
  @Access(JOB_WRITE)
  @Returns(JobRecord, 201)
  erase(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() { job_id: id }: FindJobParams,
  ): Promise<JobRecord> {
    return this.after(project, id, () => this.erasing.run(project.id, id, rightsOf(caller)));
  }

  @Post('play')
  @Access(JOB_WRITE)
  @Returns(JobRecord)
  play(
    @CurrentProject() project: ProjectSubject,
    @CurrentCaller() caller: Caller,
    @Params() params: PlayJobParams,
  ): Promise<JobRecord> {
    const { job_id: id, job_variables_attributes: given = [] } = params;
    const variables = given.map(({ key, value }) => ({ key, value, public: false, masked: false }));
    const asked = freezeOverride(params);
    const override = asked && { ...asked, caller };
    return this.after(project, id, () =>
      this.actions.play(project.id, id, rightsOf(caller), variables, override),
    );
  }

  /**
   * Runs `act`, which returns the id of a job, and presents that job; 404 for commit statuses. Users who may
   * run jobs may also read the code.
   */
  private async after(project: ProjectSubject, id: number, act: () => Promise<number>): Promise<JobRecord> {
    await this.find(project, id);
    return presentJob(await this.find(project, await act()), this.links, true);
  }

  private async find(project: ProjectSubject, id: number): Promise<JobRow> {
    const row = await this.queries.find(project.id, id);
    if (!row) throw notFound('Job');
    return row;
  }
}
