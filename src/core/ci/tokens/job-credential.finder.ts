import { Injectable } from '@nestjs/common';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, HttpError } from '#kernel/http/errors.js';
import { sourcesOf, type ApiRequest } from '#kernel/http/request.js';
import type { CiStatus } from '../jobs/job-status.js';
import { RunnerContactsService } from '../runners/runner-contacts.service.js';

/** The running job of a request by its runner. */
export interface RunnerJob {
  readonly id: number;
  readonly projectId: number;
  readonly pipelineId: number;
  readonly name: string;
  readonly stage: string;
  readonly status: CiStatus;
  readonly userId: number | null;
  readonly runnerId: number | null;
  readonly artifactsPublic: boolean;
  readonly debugTrace: boolean;
  /** A user is viewing the trace. */
  readonly isWatched: boolean;
  /** The token of the request; no stored text may contain it. */
  readonly token: string;
}

/** The job of a token, in any status. */
interface Row extends Omit<RunnerJob, 'token'> {
  readonly tokenDigest: Buffer | null;
  readonly pendingDelete: boolean;
  readonly isErased: boolean;
  readonly seenSecondsAgo: number | null;
}

const FIND = `select j.id, j.project_id as "projectId", j.pipeline_id as "pipelineId", j.name, j.stage, j.status, j.user_id as "userId",
    j.runner_id as "runnerId", j.artifacts_public as "artifactsPublic", j.debug_trace as "debugTrace", j.token_digest as "tokenDigest",
    coalesce(j.trace_watched_at > now() - interval '60 seconds', false) as "isWatched",
    p.pending_delete as "pendingDelete", j.erased_at is not null as "isErased",
    extract(epoch from now() - j.runner_seen_at)::float8 as "seenSecondsAgo"
  from ci_jobs j join projects p on p.id = j.project_id where j.id = $1 and j.kind = 'build'`;

/** Authenticates runners by the token of their job. */
@Injectable()
export class JobCredentialFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly contacts: RunnerContactsService,
  ) {}

  /**
   * Returns the job of a request by its token, in the parameter `token` or the header `JOB-TOKEN`. `touch`:
   * the request counts as a heartbeat of the runner.
   * @throws 403 for all errors, as runners expect; if the job is not running, with its status in `Job-Status`
   */
  async runnerJob(request: ApiRequest, jobId: number, { touch }: { touch: boolean }): Promise<RunnerJob> {
    const token = sentJobToken(request);
    const row =
      token === null || !Number.isSafeInteger(jobId) ? null : await this.database.one<Row>(FIND, [jobId]);
    if (token === null || !row?.tokenDigest || !isTokenOf(row.tokenDigest, token)) throw forbidden();
    if (row.pendingDelete) throw forbidden('Project has been deleted!');
    if (row.isErased) throw forbidden('Job has been erased!');
    if (row.status !== 'running') throw notRunning(row.status);
    if (touch) await this.contacts.ofJob(row);
    return { ...row, token };
  }
}

/** Error 403 that makes a runner stop working on a job. */
export const notRunning = (status: CiStatus): HttpError =>
  new HttpError(403, { message: '403 Forbidden - Job is not running' }, { 'Job-Status': status });

/** Returns the job token of the request, or null. */
export function sentJobToken(request: ApiRequest): string | null {
  for (const source of sourcesOf(request).slice(1)) {
    const { token } = source;
    if (typeof token === 'string' && token !== '') return token;
  }
  const header = request.headers['job-token'];
  return typeof header === 'string' && header !== '' ? header : null;
}
