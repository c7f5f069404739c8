import { expect } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { until } from '../until.js';
import type { RunnerJob } from './job.js';
import type { RunnerService } from './service.js';

const PART = 3_000;

/** What a job has said. */
export const traceOf = (jobId: number): Buffer => Buffer.from(`a line of job ${jobId}\n`.repeat(400));

/** Sends the whole trace and then the end of a job, as often as it takes. */
export async function report(runner: RunnerService, job: RunnerJob): Promise<void> {
  const trace = traceOf(job.id);
  for (let sent = 0; sent < trace.length;) {
    const answer = await patiently(() => runner.patch(job, sent, trace.subarray(sent, sent + PART)));
    // What came before the answer was lost is there already.
    expect([202, 416]).toContain(answer.status);
    sent = answer.range ?? 0;
  }
  const checksum = `crc32:${crc32(trace).toString(16).padStart(8, '0')}`;
  const output = { bytesize: trace.length, checksum };
  const { status, isAborted } = await patiently(() => runner.update(job, { state: 'success', output }));
  // Ended already, if the answer to that was lost.
  expect([status, isAborted]).toEqual(status === 403 ? [403, true] : [200, false]);
}

/** Asks until there is an answer. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const answers: T[] = [];
  await until(async () => answers.push(await ask()) > 0, 30_000);
  return answers[0] as T;
}
