import { Injectable } from '@nestjs/common';
import { isTokenOf } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, HttpError } from '#kernel/http/errors.js';
import { sourcesOf, type ApiRequest } from '#kernel/http/request.js';
import type { CiStatus } from '../jobs/job-status.js';
import { RunnerContactsService } from '../runners/runner-contacts.service.js';

/** The running job that a runner speaks for. */
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
  /** Somebody looks at the trace now. */
  readonly isWatched: boolean;
  /** As it was sent: nothing that is kept may hold it. */
  readonly token: string;
}

/** What there is of a job, whatever has become of it. */
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

/** Who asks for what a job is: its runner, by the token that came with the job. */
@Injectable()
export class JobCredentialFinder {
  constructor(
    private readonly database: ReadDatabase,
    private readonly contacts: RunnerContactsService,
  ) {}

  /**
   * The job of a request with its token, in the parameter `token` or the header `JOB-TOKEN`. With `touch` it counts as a sign of life of the
   * runner.
   * @throws 403 for whatever is wrong, as runners want it: for a job that does not run (any more) with its status in `Job-Status`
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

/** 403 that ends what a runner does for a job. */
export const notRunning = (status: CiStatus): HttpError =>
  new HttpError(403, { message: '403 Forbidden - Job is not running' }, { 'Job-Status': status });

/** The token of a job as it was sent, or null. */
export function sentJobToken(request: ApiRequest): string | null {
  for (const source of sourcesOf(request).slice(1)) {
    const { token } = source;
    if (typeof token === 'string' && token !== '') return token;
  }
  const header = request.headers['job-token'];
  return typeof header === 'string' && header !== '' ? header : null;
}
