import { spawn, type ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { unavailable } from '#kernel/http/errors.js';
import { logger } from '#kernel/log/logger.js';
import type { Priority } from './priority.js';

/** What the process is asked; the arguments are those of argon2's functions of these names. */
export interface PasswordTask {
  readonly does: 'hash' | 'verify';
  readonly values: readonly unknown[];
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

interface Waiting {
  readonly task: PasswordTask;
  readonly isRepeated: boolean;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Signals of the terminal reach the whole group, but the parent still finishes what it has begun: it ends this process by leaving. */
const PROGRAM = `
const argon2 = require(process.argv[1]);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.on('message', ({ id, does, values }) => {
  argon2[does](...values).then(
    (result) => process.send({ id, result }),
    (error) => process.send({ id, error: error.message }),
  );
});`;

const ARGON2 = createRequire(import.meta.url).resolve('argon2');

/**
 * The C library keeps the memory of a hash for the next one in one arena, so thousands of pages need not be
 * mapped again and half as much is used.
 */
const MEMORY = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(64 * 1024 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024 * 1024),
};

/** After this time without work the process exits and frees its memory. */
const IDLE_MS = 30_000;

const RETRY_AFTER_S = 5;

/**
 * Hashes passwords in a process of lower priority that lives while there is work. In our own process a hash
 * would take a core from all other requests, and the C library would keep the 19 MiB that each one needs
 * (measured: p99 of a list 1.8 times as long during 50 sign-ins, 90 MB more).
 */
export class PasswordProcess {
  private child: ChildProcess | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(private readonly lower: Priority) {}

  /**
   * Returns the result of argon2's function. If the process dies, the task is passed to another one once.
   * @throws 503 if the system cannot start one
   */
  run(task: PasswordTask): Promise<unknown> {
    return new Promise((resolve, reject) => this.send({ task, isRepeated: false, resolve, reject }));
  }

  private send(one: Waiting): void {
    clearTimeout(this.idle);
    const id = (this.lastId += 1);
    try {
      this.child ??= this.start();
    } catch (error) {
      logger.error({ error }, 'The process that hashes passwords cannot be started');
      one.reject(unavailable(RETRY_AFTER_S));
      return;
    }
    this.waiting.set(id, one);
    this.hold(this.child);
    this.child.send({ id, ...one.task }, (error) => {
      if (error) this.child?.kill('SIGKILL');
    });
  }

  /** @throws Error if the system cannot start it, without descriptors or memory for example */
  private start(): ChildProcess {
    const child = spawn(process.execPath, ['-e', PROGRAM, ARGON2], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: MEMORY,
    });
    child.on('error', (error) => this.lose(child, error));
    // Without free descriptors in this process, the child has no channel either.
    if (child.pid === undefined) throw new Error(`${process.execPath} cannot be run`);
    this.lower(child.pid);
    child.on('message', (answer: Answer) => this.take(answer));
    child.once('exit', () => this.lose(child, new Error('The process that hashes passwords exited')));
    return child;
  }

  private take({ id, result, error }: Answer): void {
    const one = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) one?.resolve(result);
    else one?.reject(new Error(error));
    if (this.waiting.size > 0 || !this.child) return;
    this.letGo(this.child);
    this.idle = setTimeout(() => this.child?.disconnect(), IDLE_MS).unref();
  }

  private lose(child: ChildProcess, error: Error): void {
    if (this.child !== child) return;
    this.child = null;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of lost) {
      if (one.isRepeated) one.reject(error);
      else this.send({ ...one, isRepeated: true });
    }
  }

  /** Keeps our own process alive only while a caller waits for a result. */
  private hold(child: ChildProcess): void {
    child.ref();
    child.channel?.ref();
  }

  private letGo(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
  }
}
