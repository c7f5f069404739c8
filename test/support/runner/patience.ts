import { expect } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { until } from '../until.js';
import type { RunnerJob } from './job.js';
import type { RunnerService } from './service.js';

const PART = 3_000;

/** Output of a job. */
export const traceOf = (jobId: number): Buffer => Buffer.from(`a line of job ${jobId}\n`.repeat(400));

/** Sends the whole trace and then the end of a job, with retries. */
export async function report(runner: RunnerService, job: RunnerJob): Promise<void> {
  const trace = traceOf(job.id);
  for (let sent = 0; sent < trace.length;) {
    const answer = await patiently(() => runner.patch(job, sent, trace.subarray(sent, sent + PART)));
    // Data that arrived before the response was lost already exists.
    expect([202, 416]).toContain(answer.status);
    sent = answer.range ?? 0;
  }
  const checksum = `crc32:${crc32(trace).toString(16).padStart(8, '0')}`;
  const output = { bytesize: trace.length, checksum };
  const { status, isAborted } = await patiently(() => runner.update(job, { state: 'success', output }));
  // Already ended, if the response was lost.
  expect([status, isAborted]).toEqual(status === 403 ? [403, true] : [200, false]);
}

/** Retries until there is a response. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const answers: T[] = [];
  await until(async () => answers.push(await ask()) > 0, 30_000);
  return answers[0] as T;
}
