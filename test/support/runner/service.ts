import { readFile } from 'node:fs/promises';
import type { JobArtifact, JobDependency, RunnerJob } from './job.js';

/** Information that a runner sends about itself. */
const INFO = {
  name: 'test-runner',
  version: '16.5.0',
  revision: '0000000',
  platform: 'linux',
  architecture: 'amd64',
  executor: 'shell',
  shell: 'bash',
  features: { variables: true, artifacts: true, refspecs: true, trace_checksum: true, trace_size: true },
};

/** Texts that make runners abandon a job. */
const ABORTED = new Set(['canceled', 'failed']);

/** Response of the service about a job. */
export interface JobAnswer {
  readonly status: number;
  /** The service no longer wants the job. */
  readonly isAborted: boolean;
  /** Number of bytes of the trace that the service has, if it reports that. */
  readonly range: number | null;
}

/** The service as seen by runners: only the requests of `ci.md` 6. */
export class RunnerService {
  private lastUpdate = '';

  constructor(
    private readonly base: string,
    private readonly token: string,
  ) {}

  /** Registers a runner by a registration token. */
  static async register(
    base: string,
    registrationToken: string,
    values: object = {},
  ): Promise<RunnerService> {
    const response = await post(`${base}/api/v4/runners`, {
      token: registrationToken,
      info: INFO,
      ...values,
    });
    if (response.status !== 201)
      throw new Error(`Not registered: ${response.status} ${await response.text()}`);
    const { token } = (await response.json()) as { token: string };
    const verified = await post(`${base}/api/v4/runners/verify`, { token, system_id: 's_test' });
    if (verified.status !== 200) throw new Error(`Not verified: ${verified.status}`);
    return new RunnerService(base, token);
  }

  /** Returns the next job, or null if there is none now. */
  async next(): Promise<RunnerJob | null> {
    const body = { token: this.token, system_id: 's_test', last_update: this.lastUpdate, info: INFO };
    const response = await post(`${this.base}/api/v4/jobs/request`, body);
    this.lastUpdate = response.headers.get('x-gitlab-last-update') ?? '';
    // Runners accept only exactly this type.
    const isJob = response.status === 201 && response.headers.get('content-type') === 'application/json';
    if (isJob) return (await response.json()) as RunnerJob;
    await response.text();
    if (response.status === 204 || response.status === 409) return null;
    throw new Error(`No answer to a request for a job: ${response.status}`);
  }

  /** Adds the text from `start` to the trace. */
  async patch(job: RunnerJob, start: number, data: Buffer): Promise<JobAnswer> {
    const headers = {
      'JOB-TOKEN': job.token,
      'Content-Type': 'text/plain',
      'Content-Range': `${start}-${start + data.length - 1}`,
    };
    const url = `${this.base}/api/v4/jobs/${job.id}/trace`;
    return answerOf(await fetch(url, { method: 'PATCH', headers, body: new Uint8Array(data) }));
  }

  /** Updates the state of the job. */
  async update(job: RunnerJob, body: object): Promise<JobAnswer> {
    return answerOf(
      await fetch(`${this.base}/api/v4/jobs/${job.id}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: job.token, info: INFO, ...body }),
      }),
    );
  }

  /** Sends files of the job. */
  async upload(job: RunnerJob, artifact: JobArtifact, path: string, filename: string): Promise<number> {
    const query = new URLSearchParams({
      artifact_type: artifact.artifact_type,
      artifact_format: artifact.artifact_format,
      ...(artifact.expire_in === null ? {} : { expire_in: artifact.expire_in }),
    });
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await readFile(path))]), filename);
    const response = await fetch(`${this.base}/api/v4/jobs/${job.id}/artifacts?${query.toString()}`, {
      method: 'POST',
      headers: { 'JOB-TOKEN': job.token },
      body: form,
    });
    await response.text();
    return response.status;
  }

  /** The archive of an earlier job. */
  async download({ id, token }: JobDependency): Promise<Buffer> {
    const url = `${this.base}/api/v4/jobs/${id}/artifacts`;
    const response = await fetch(url, { headers: { 'JOB-TOKEN': token } });
    const body = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200)
      throw new Error(`No archive of job ${id}: ${response.status} ${body.toString()}`);
    return body;
  }
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  });

async function answerOf(response: Response): Promise<JobAnswer> {
  await response.text();
  const range = /^0-(\d+)$/.exec(response.headers.get('range') ?? '')?.[1];
  return {
    status: response.status,
    isAborted: response.status === 403 || ABORTED.has(response.headers.get('job-status') ?? ''),
    range: range === undefined ? null : Number(range),
  };
}
