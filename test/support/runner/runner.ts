import { setTimeout as sleep } from 'node:timers/promises';
import { Execution, type ExecutionOptions } from './execution.js';
import type { JobResult } from './job.js';
import { RunnerService } from './service.js';

/** Options of a runner. */
export interface RunnerOptions extends ExecutionOptions {
  /** Attributes for the registration: `tag_list`, `run_untagged`, ... */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * A runner with a shell executor, written only against the protocol: it knows only the address of the
 * service.
 */
export class TestRunner {
  private constructor(
    private readonly service: RunnerService,
    private readonly options: RunnerOptions,
  ) {}

  /** Registers a runner by a registration token. */
  static async register(
    url: string,
    registrationToken: string,
    options: RunnerOptions = {},
  ): Promise<TestRunner> {
    return new TestRunner(await RunnerService.register(url, registrationToken, options.values), options);
  }

  /** Token of a runner that was created by a user. */
  static withToken(url: string, token: string, options: RunnerOptions = {}): TestRunner {
    return new TestRunner(new RunnerService(url, token), options);
  }

  /** Takes one job and runs it to its end; null if there is none. */
  async runOne(): Promise<JobResult | null> {
    const job = await this.service.next();
    return job && new Execution(this.service, job, this.options).run();
  }

  /** Runs jobs, one after the other, until `isDone` says so. */
  async runUntil(isDone: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<JobResult[]> {
    const results: JobResult[] = [];
    for (const end = Date.now() + withinMs; Date.now() < end;) {
      const result = await this.runOne();
      if (result) results.push(result);
      else if (await isDone()) return results;
      else await sleep(100);
    }
    const names = results.map(({ job, state }) => `${job.job_info.name}: ${state}`).join(', ');
    throw new Error(`Not done within ${withinMs} ms (${names})`);
  }
}
