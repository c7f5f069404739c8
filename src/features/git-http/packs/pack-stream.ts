import type { Response } from 'express';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { killGroup } from '#kernel/processes/process-group.js';
import type { GitSlot } from '#core/repositories/git/processes/spawn-git.js';
import { SlowReader } from '#core/repositories/git/processes/slow-reader.js';
import { beginAnswer } from '../git-answer.js';
import type { GitLimit } from './git.limit.js';
import { Stillness } from './stillness.js';

/** Options of a git process between a client and a repository. */
export interface PackStreamOptions {
  readonly child: ChildProcess;
  readonly slot: GitSlot;
  readonly input: Readable;
  readonly response: Response;
  readonly contentType: string;
  readonly limits: Pick<GitLimit, 'idleMs' | 'finishMs'>;
  /** Transforms the output of git on its way to the client. */
  readonly rewrite?: ((chunk: Buffer) => Buffer) | undefined;
  /** Whether git must clean up when it is stopped. */
  readonly tidiesUp?: true;
  /** Whether git must finish even without a client, because its work was accepted. */
  readonly mustFinish?: () => boolean;
}

/** How the process ended. */
export interface PackEnd {
  readonly code: number | null;
  readonly stderr: string;
  /** Why the body of the request could not be passed completely. */
  readonly inputError: Error | null;
}

/** Time for cleaning up. */
const KILL_AFTER_MS = 10_000;
const MAX_STDERR = 4_096;

/**
 * Pipes bytes both ways until git has ended, with backpressure. Git is stopped when the client leaves or
 * nothing moves for too long. All output of git is then written, but the response is not ended. @throws the
 * error of a process that could not start
 */
export function streamPack(options: PackStreamOptions): Promise<PackEnd> {
  return new PackStream(options).run();
}

class PackStream {
  private stderr = '';
  private inputError: Error | null = null;
  private killer: NodeJS.Timeout | undefined;
  private isOver = false;
  private readonly stillness: Stillness;
  private readonly sender = new SlowReader();
  private readonly reader = new SlowReader();

  constructor(private readonly options: PackStreamOptions) {
    this.stillness = new Stillness(options.response, options.limits.idleMs);
  }

  run(): Promise<PackEnd> {
    const { child, response } = this.options;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.stderr.length < MAX_STDERR) this.stderr += text;
    });
    this.passInput();
    this.passOutput();
    const watch = setInterval(() => this.watch(), this.stillness.everyMs);
    const onGone = (): void => this.leave();
    response.once('close', onGone);
    if (response.destroyed) this.leave();
    return new Promise<PackEnd>((resolve, reject) => {
      child.once('error', reject);
      // Do not wait for output of its child processes.
      child.once('exit', () => this.hangUp());
      child.once('close', (code) => resolve({ code, stderr: this.stderr, inputError: this.inputError }));
    }).finally(() => {
      this.isOver = true;
      clearInterval(watch);
      clearTimeout(this.killer);
      response.off('close', onGone);
    });
  }

  private passInput(): void {
    const { child, input } = this.options;
    const stdin = child.stdin as Writable;
    // Git may end before it has read everything: its exit code tells why.
    stdin.on('error', () => input.unpipe(stdin));
    input.on('error', (error) => {
      this.inputError = error;
      this.stop();
    });
    // A truncated body must not pass as complete.
    input.on('close', () => {
      if (!input.readableEnded) this.stop();
    });
    input.on('data', (chunk: Buffer) => this.sender.passed(chunk.length));
    this.sender.wait(performance.now());
    input.pipe(stdin);
  }

  private passOutput(): void {
    const { child, response, contentType, rewrite } = this.options;
    const stdout = child.stdout as Readable;
    stdout.on('data', (chunk: Buffer) => {
      if (response.destroyed || response.writableEnded) return;
      if (!response.headersSent) beginAnswer(response, contentType);
      const bytes = rewrite ? rewrite(chunk) : chunk;
      this.reader.passed(bytes.length);
      if (response.write(bytes)) return;
      stdout.pause();
      this.reader.wait(performance.now());
      response.once('drain', () => {
        this.reader.goOn(performance.now());
        stdout.resume();
      });
    });
  }

  /** The client has left. */
  private leave(): void {
    this.options.child.stdout?.resume();
    this.stop();
  }

  private watch(): void {
    const now = performance.now();
    if (this.isTooSlow(now) || this.stillness.isTooLong(now)) this.options.response.destroy();
  }

  /** Returns whether others are waiting for the slot, and the client is slow to send or to read. */
  private isTooSlow(now: number): boolean {
    const { child, input, slot } = this.options;
    const isSlow = this.reader.isSlow(now);
    // The client need not send what git does not read yet.
    const isSending = !input.readableEnded && child.stdin?.writableNeedDrain !== true;
    const isSlowToSend = this.sender.isSlow(now) && isSending;
    return (isSlow || isSlowToSend) && slot.isWaitedFor();
  }

  /**
   * Stops git: a receiving process has its input closed, because it cleans up its quarantine only if it ends
   * by itself; a sending one is killed. One that must finish gets time for that.
   */
  private stop(): void {
    const { child, limits, tidiesUp, mustFinish } = this.options;
    if (this.isOver) return;
    const kill = (): void => killGroup(child, 'SIGKILL');
    if (mustFinish?.()) {
      this.killer ??= setTimeout(() => {
        // Asked to end, it removes the locks of the refs, which would block them.
        killGroup(child, 'SIGTERM');
        this.killer = setTimeout(kill, KILL_AFTER_MS);
      }, limits.finishMs);
      return;
    }
    this.hangUp();
    if (tidiesUp !== true) kill();
    this.killer ??= setTimeout(kill, KILL_AFTER_MS);
  }

  /** Closes the input of git; a hook waiting for a verdict gets none. */
  private hangUp(): void {
    const { stdin, stdio } = this.options.child;
    stdin?.destroy();
    for (const channel of stdio.slice(3)) channel?.destroy();
  }
}
