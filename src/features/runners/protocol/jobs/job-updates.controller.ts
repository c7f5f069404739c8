import { Controller, Patch, Put, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { forbidden, HttpError, missingAttribute } from '#kernel/http/errors.js';
import { Params } from '#kernel/http/fields/params.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { ReturnsFile } from '#kernel/http/answers/returns.js';
import { JobCredentialFinder, notRunning, sentJobToken } from '#core/ci/tokens/job-credential.finder.js';
import { FinishJob } from './finish-job.use-case.js';
import { failureReasonOf } from './failure-reason.js';
import { AppendTraceParams, UpdateJobParams } from './job-update.params.js';
import { TraceCheckService } from './trace-check.service.js';
import { TracePatchesService } from './trace-patches.service.js';
import { readTracePatch } from './trace-patch.js';

/** Seconds after which a runner asks again whether its trace has arrived. */
const ASK_AGAIN = '3';

/** Seconds between two parts of a trace. */
const INTERVAL = { watched: '3', unwatched: '60' } as const;

/** Statuses of the response to a runner. */
const ENDED = { 200: 'The job continues, or has ended', 202: 'Its trace has not arrived yet' };
const APPENDED = { 202: 'The part was added to the trace' };

/** Job updates of runners. */
@Controller('api/v4/jobs')
export class JobUpdatesController {
  constructor(
    private readonly credential: JobCredentialFinder,
    private readonly check: TraceCheckService,
    private readonly finish: FinishJob,
    private readonly patches: TracePatchesService,
  ) {}

  /** Updates a job; 202 while its trace has not arrived. */
  @Put(':job_id')
  @Access({ credential: 'job' })
  @ReturnsFile('The status as text', { type: 'application/json', statuses: ENDED })
  async update(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Params() params: UpdateJobParams,
  ): Promise<string> {
    if (sentJobToken(request) === null) throw missingAttribute('token');
    const job = await this.credential.runnerJob(request, params.job_id, { touch: true });
    if (params.state === 'running') return told(response, 200, job.status);
    if (!(await this.check.isFinal(job.id, params))) {
      response.setHeader('X-GitLab-Trace-Update-Interval', ASK_AGAIN);
      return told(response, 202, job.status);
    }
    const failed = { failureReason: failureReasonOf(params.failure_reason) };
    const code = params.exit_code === undefined ? {} : { exitCode: params.exit_code };
    const change = params.state === 'failed' ? { ...failed, ...code } : {};
    const status = await this.finish.run(job.id, params.state, change);
    if (status === null) throw forbidden();
    // It was ended at this moment.
    if (status !== params.state) throw notRunning(status);
    return told(response, 200, status);
  }

  /** Appends to the trace what begins at its end. */
  @Patch(':job_id/trace')
  @Access({ credential: 'job' })
  @RawBody()
  @ReturnsFile('The status as text', { type: 'application/json', statuses: APPENDED })
  @Refuses({ 416: 'The part does not begin where the trace ends' })
  async append(
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Params() params: AppendTraceParams,
  ): Promise<string> {
    const job = await this.credential.runnerJob(request, params.job_id, { touch: true });
    const patch = await readTracePatch(request, job.token);
    const { isTaken, size } = await this.patches.append(job, patch, params.debug_trace === 'true');
    response.setHeader('Range', `0-${String(size)}`);
    if (!isTaken) throw new HttpError(416, { message: '416 Range Not Satisfiable' });
    response.setHeader(
      'X-GitLab-Trace-Update-Interval',
      job.isWatched ? INTERVAL.watched : INTERVAL.unwatched,
    );
    return told(response, 202, job.status);
  }
}

/** Runners read only status and headers. */
function told(response: Response, code: number, status: string): string {
  response.status(code).setHeader('Job-Status', status);
  response.setHeader('Content-Type', 'application/json');
  return String(code);
}
