import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A request of an SDK and its response. */
export interface SentRequest {
  readonly path: string;
  readonly encoding: string | null;
  readonly type: string | null;
  readonly status: number;
}

/** Requests of an application. */
export interface SentReport {
  /** Whether everything had been sent when it ended. */
  readonly isFlushed: boolean;
  /** Ids that the SDK gave its events. */
  readonly events: readonly string[];
  readonly requests: readonly SentRequest[];
}

/** Runs an application with an SDK, by the name of its package, in a separate process. */
export async function runSentryApp(
  sdk: string,
  task: 'report' | 'large' | 'burst',
  dsn: string,
): Promise<SentReport> {
  const { stdout } = await run(process.execPath, [resolve('test/clients/sentry/app.mjs'), sdk, task], {
    env: { PATH: process.env['PATH'], DSN: dsn, NODE_ENV: 'production' },
    timeout: 50_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as SentReport;
}
