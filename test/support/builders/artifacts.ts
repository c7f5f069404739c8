import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { TestApi } from '../api.js';
import type { Answer } from '../client.js';
import { buildRunningJob } from './ci.js';

/** A zip archive of texts by their paths. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}

/** Differences of an upload from that of an archive `artifacts.zip`. */
export interface UploadOptions {
  readonly query?: Readonly<Record<string, string>>;
  /** Fields of the form besides the file. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly filename?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends an artifact as runners do. */
export async function upload(
  api: TestApi,
  jobId: number,
  token: string,
  content: Buffer,
  { query = {}, fields = {}, filename = 'artifacts.zip', headers = {} }: UploadOptions = {},
): Promise<Answer<Record<string, unknown> | null>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(content)]), filename);
  const response = await fetch(
    `${api.url}/api/v4/jobs/${jobId}/artifacts?${new URLSearchParams(query).toString()}`,
    {
      method: 'POST',
      headers: { 'JOB-TOKEN': token, ...headers },
      body: form,
    },
  );
  const text = await response.text();
  const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, text, body };
}

/** A finished job of a pipeline, with an archive. */
export async function buildArchive(
  api: TestApi,
  pipeline: Pipeline,
  content: Buffer,
  { query, ...values }: Partial<Job> & Pick<UploadOptions, 'query'> = {},
): Promise<Job> {
  const { job, token } = await buildRunningJob(api, pipeline, values);
  const { status, text } = await upload(api, job.id, token, content, query ? { query } : {});
  if (status !== 201) throw new Error(`The upload was answered with ${status} ${text}`);
  await api.sql(`update ci_jobs set status = 'success', finished_at = now() where id = $1`, [job.id]);
  return job;
}
