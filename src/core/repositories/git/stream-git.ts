import type { ChildProcess } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import { requestContext } from '#kernel/log/request-context.js';
import { held } from '#kernel/streams/held.js';
import { GitFailure } from './git-failure.js';
import { meaningOf, speaksOfDamage } from './damage/damage.js';
import { commandIn } from './processes/git-kinds.js';
import { gitOwner } from './processes/git-owner.js';
import { inGitSlot, spawnGit, type GitSlot, type GitVariables } from './processes/spawn-git.js';
import { SlowReader } from './processes/slow-reader.js';

/** Limits of a stream. */
export interface StreamOptions {
  readonly env?: GitVariables;
  /** The stream is cut off above this; default 16 GiB. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 16 * 1024 ** 3;
/** A client that reads nothing for this long is considered gone, and a silent git process hung. */
const STALLED_MS = 60_000;
/** Time limit of a response, even if it is read steadily. */
const LONGEST_MS = 3_600_000;
const LOOK_EVERY_MS = 5_000;

/**
 * Streams the output of git with backpressure, once its first byte has arrived. Git ends with its reader,
 * with its request or job, or if it is read so slowly that others wait for its slot.
 * @throws GitFailure if git fails before its first byte; PoolBusy if too many streams run
 */
export function streamGit(
  repositoryPath: string,
  args: readonly string[],
  { env = {}, maxBytes = MAX_BYTES }: StreamOptions = {},
): Promise<Readable> {
  const output = held(new PassThrough());
  const { signal } = gitOwner();
  const response = requestContext.getStore()?.response;
  return new Promise((resolve, reject) => {
    const work = inGitSlot('stream', repositoryPath, async (slot) => {
      const leave = (): void => void output.destroy();
      // The end of the response also ends a stream that has not been read yet.
      response?.once('close', leave);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        if (response?.destroyed || signal?.aborted)
          throw signal?.reason ?? new GitFailure('', 'timeout', null, '');
        const child = spawnGit(slot, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
        await new GitStream(child, output, slot, commandIn(args), maxBytes).run(() => resolve(output));
      } finally {
        response?.off('close', leave);
        signal?.removeEventListener('abort', leave);
      }
    });
    work.catch(async (error: unknown) => {
      const thrown = error instanceof Error ? error : new Error(String(error));
      const failure = thrown instanceof GitFailure ? await meaningOf(repositoryPath, thrown) : thrown;
      output.destroy(failure);
      reject(failure);
    });
  });
}

/** A git process that feeds a stream. */
class GitStream {
  private stderr = '';
  private size = 0;
  private lastAt = performance.now();
  private failure: GitFailure['reason'] | null = null;
  private readonly reader = new SlowReader();

  constructor(
    private readonly child: ChildProcess,
    private readonly output: PassThrough,
    private readonly slot: GitSlot,
    private readonly name: string,
    private readonly maxBytes: number,
  ) {}

  /** Passes on the output until git ends or the reader leaves. @throws GitFailure */
  async run(onBegin: () => void): Promise<void> {
    const begunAt = performance.now();
    const watch = setInterval(() => {
      const now = performance.now();
      const isSlow = this.reader.isSlow(now) && this.slot.isWaitedFor();
      if (isSlow || now - this.lastAt > STALLED_MS || now - begunAt > LONGEST_MS) this.give('timeout');
    }, LOOK_EVERY_MS);
    try {
      await this.pass(onBegin);
    } finally {
      clearInterval(watch);
    }
  }

  private pass(onBegin: () => void): Promise<void> {
    const { child, output, name } = this;
    const source = child.stdout as Readable;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.stderr.length < 4096) this.stderr += text;
    });
    source.on('data', (chunk: Buffer) => {
      this.size += chunk.length;
      this.reader.passed(chunk.length);
      this.lastAt = performance.now();
      if (this.size > this.maxBytes) this.give('too-large');
      else if (!output.write(chunk)) this.pause(source);
      onBegin();
    });
    return new Promise((resolve, reject) => {
      // An abandoned process may still be running: hold its slot until it ends.
      output.once('close', () => {
        if (!output.writableEnded) reject(new GitFailure(name, this.failure ?? 'timeout', null, this.stderr));
      });
      child.once('error', (error) => reject(new GitFailure(name, 'spawn', null, error.message)));
      child.once('close', (code, how) => {
        // Output with omissions is wrong: refuse the response, or cut it off.
        if (code !== 0 || speaksOfDamage(name, this.stderr)) {
          reject(new GitFailure(name, how === null ? 'exit' : 'timeout', code, this.stderr));
          return;
        }
        output.end();
        onBegin();
        resolve();
      });
    });
  }

  private pause(source: Readable): void {
    source.pause();
    this.reader.wait(performance.now());
    this.output.once('drain', () => {
      this.lastAt = performance.now();
      this.reader.goOn(performance.now());
      source.resume();
    });
  }

  private give(reason: GitFailure['reason']): void {
    this.failure = reason;
    this.output.destroy(new GitFailure(this.name, reason, null, this.stderr));
  }
}
