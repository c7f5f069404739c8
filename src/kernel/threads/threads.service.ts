import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';
import { PACKAGE_ROOT } from '#kernel/config/package-root.js';
import { library } from '#kernel/libraries/library.js';
import { registerGauge } from '#kernel/log/gauges.js';
import { ownerGone, requestContext } from '#kernel/log/request-context.js';
import { callerKey } from '#kernel/rate-limit/caller-key.js';
import { BudgetClock } from './budget-clock.js';
import { logger } from '#kernel/log/logger.js';
import { OverBudget, TASK_MEGABYTES, TASK_SECONDS } from './over-budget.js';
import type { Answer, AnyTask, HelpOf, Helpers, InputOf, Question, ResultOf } from './thread-task.js';
import { Turns, type TurnRequest } from './turns.js';

const piscina = library('piscina');

/** The folder where the build puts each task as a file of its own. */
const TASKS = join(PACKAGE_ROOT, 'dist/app');

/** Number of threads: as many tasks run at a time, one of each owner. */
const THREADS = 2;
/** After this time without work a thread exits and frees its memory. */
const IDLE_MS = 10_000;
/** On systems with thread priorities, lower than that of the event loop. */
const NICE = process.platform === 'linux' ? 5 : 0;

const LIMITS = { width: THREADS, own: 1, waiting: 100, ownWaiting: 8, patienceMs: 30_000 };

/** Options of a task besides its input. */
export interface TaskOptions<Help> {
  /** Whose work it is; default: the caller of the current request. */
  readonly owner?: string;
  /** Helpers that it may call. An error of a helper ends the task, and is thrown to its caller. */
  readonly help?: Help;
  /** Objects that are transferred instead of copied. */
  readonly transfer?: readonly Transferable[];
}

interface Given {
  readonly help: Helpers | undefined;
  readonly transfer: readonly Transferable[];
  readonly gone: AbortSignal | undefined;
}

/**
 * Processes user input outside the event loop: in few threads that live while there is work, each task within
 * limits of time and memory, and one task at a time per owner.
 */
@Injectable()
export class ThreadsService implements OnApplicationShutdown {
  private readonly turns = new Turns(LIMITS);
  private pool: Piscina | null = null;

  constructor() {
    registerGauge(
      'task_threads',
      'Threads that work on what users send',
      () => this.pool?.threads.length ?? 0,
    );
  }

  /**
   * Runs a task in a thread: `run<typeof thatTask>('that', ...)` for the default export of `that.task.ts`.
   * @throws OverBudget (422), 429 and 503 if too much is waiting already
   */
  async run<T extends AnyTask>(
    name: string,
    input: InputOf<T>,
    { owner, help, transfer = [] }: TaskOptions<HelpOf<T>> = {},
  ): Promise<ResultOf<T>> {
    const request = turnRequestOf(owner);
    const end = await this.turns.take(request);
    try {
      const file = join(TASKS, `${name}.task.js`);
      return (await this.work(file, input, { help, transfer, gone: request.gone })) as ResultOf<T>;
    } finally {
      end();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.destroy();
    this.pool = null;
  }

  private async work(filename: string, input: unknown, { help, transfer, gone }: Given): Promise<unknown> {
    const stop = new AbortController();
    let failure: unknown;
    const fail = (error: unknown): void => {
      failure ??= error;
      stop.abort();
    };
    const leave = (): void => fail(gone?.reason);
    const clock = new BudgetClock(TASK_SECONDS * 1_000, () => fail(new OverBudget('time')));
    const ports = help ? serve(help, clock, fail) : null;
    gone?.addEventListener('abort', leave, { once: true });
    try {
      return await this.started().run(
        { input, port: ports?.port2 ?? null },
        { filename, signal: stop.signal, transferList: [...transfer, ...(ports ? [ports.port2] : [])] },
      );
    } catch (error) {
      throw failure ?? (isOutOfMemory(error) ? new OverBudget('memory') : error);
    } finally {
      clock.stop();
      ports?.port1.close();
      gone?.removeEventListener('abort', leave);
    }
  }

  private started(): Piscina {
    if (this.pool) return this.pool;
    // The heap of this process is already sized. With the option set, it would also override the limits of
    // threads.
    setFlagsFromString('--max-old-space-size=0');
    this.pool = new (piscina().Piscina)({
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      // A thread that waits for help must still receive messages.
      atomics: 'disabled',
      recordTiming: false,
      niceIncrement: NICE,
      // It needs none of our secrets.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: TASK_MEGABYTES, maxYoungGenerationSizeMb: 32 },
    });
    // A thread may run out of memory after its task, or while it is stopped: then no call waits for it, and an
    // error without a listener would end the process.
    this.pool.on('error', (error: Error) => logger.warn({ error }, 'A thread without a task has failed'));
    return this.pool;
  }
}

/** Only work for a waiting client is abandoned: jobs wait, and what they have begun continues. */
function turnRequestOf(owner: string | undefined): TurnRequest {
  const context = requestContext.getStore();
  return { owner: owner ?? callerKey(), isPatient: context?.response === undefined, gone: ownerGone() };
}

/** Responds to calls of a task, whose clock is paused until the response. */
function serve(
  help: Helpers,
  clock: BudgetClock,
  fail: (error: unknown) => void,
): { port1: MessagePort; port2: MessagePort } {
  const ports = new MessageChannel();
  ports.port1.on('message', ({ id, name, args }: Question) => {
    clock.pause();
    const helper = help[name] as (...given: readonly unknown[]) => Promise<unknown>;
    helper(...args)
      .then((value) => ports.port1.postMessage({ id, value } satisfies Answer), fail)
      .finally(() => clock.resume());
  });
  return ports;
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
