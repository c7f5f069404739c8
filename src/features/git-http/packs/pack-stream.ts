import type { Response } from 'express';
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { killGroup } from '#kernel/processes/process-group.js';
import { isWaitedFor } from '#core/repositories/git/processes/git-places.js';
import { SlowReader } from '#core/repositories/git/processes/slow-reader.js';
import { beginAnswer } from '../git-answer.js';
import type { GitLimit } from './git.limit.js';
import { Stillness } from './stillness.js';

/** A git process between a client and a repository. */
export interface PackStreamOptions {
  readonly child: ChildProcess;
  readonly input: Readable;
  readonly response: Response;
  readonly contentType: string;
  readonly limits: Pick<GitLimit, 'idleMs' | 'finishMs'>;
  /** Changes what git answers on its way to the client. */
  readonly rewrite?: ((chunk: Buffer) => Buffer) | undefined;
  /** Whether git has something to remove when it is stopped. */
  readonly tidiesUp?: true;
  /** Whether git is to finish even when nobody listens any more: its work has been accepted. */
  readonly mustFinish?: () => boolean;
}

/** How it ended. */
export interface PackEnd {
  readonly code: number | null;
  readonly stderr: string;
  /** Why the body of the request could not be passed on to its end. */
  readonly inputError: Error | null;
}

/** Time to tidy up. */
const KILL_AFTER_MS = 10_000;
const MAX_STDERR = 4_096;

/**
 * Passes bytes both ways until git has ended, none faster than the other side takes them. Git is stopped when the client goes away
 * or nothing moves for too long. What git said is out then, but the answer is not ended. @throws the error of a process that could not start
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
      // Whatever it has started and left behind must not keep us waiting for more.
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
    // Git may end before it has read everything: its exit code says why.
    stdin.on('error', () => input.unpipe(stdin));
    input.on('error', (error) => {
      this.inputError = error;
      this.stop();
    });
    // Half of a body must not pass for a whole one.
    input.on('close', () => {
      if (!input.readableEnded) this.stop();
    });
    input.on('data', (chunk: Buffer) => this.sender.passed(chunk.length));
    this.sender.wait(Date.now());
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
      this.reader.wait(Date.now());
      response.once('drain', () => {
        this.reader.goOn(Date.now());
        stdout.resume();
      });
    });
  }

  /** The client is gone. */
  private leave(): void {
    this.options.child.stdout?.resume();
    this.stop();
  }

  private watch(): void {
    const now = Date.now();
    if (this.isTooSlow(now) || this.stillness.isTooLong(now)) this.options.response.destroy();
  }

  /** Whether others wait, and the client is slow to send or to read. */
  private isTooSlow(now: number): boolean {
    const { child, input } = this.options;
    const isSlow = this.reader.isSlow(now);
    // What git does not take yet the client need not send.
    const isSending = !input.readableEnded && child.stdin?.writableNeedDrain !== true;
    const isSlowToSend = this.sender.isSlow(now) && isSending;
    return (isSlow || isSlowToSend) && isWaitedFor('pack');
  }

  /**
   * Ends git: what takes a push in is starved, since only when it ends by itself it removes what lies in quarantine; what sends is not
   * asked. What must finish gets its time for that.
   */
  private stop(): void {
    const { child, limits, tidiesUp, mustFinish } = this.options;
    if (this.isOver) return;
    const kill = (): void => killGroup(child, 'SIGKILL');
    if (mustFinish?.()) {
      this.killer ??= setTimeout(kill, limits.finishMs);
      return;
    }
    this.hangUp();
    if (tidiesUp !== true) kill();
    this.killer ??= setTimeout(kill, KILL_AFTER_MS);
  }

  /** Says no more to git; a hook that waits for our word hears that there will be none. */
  private hangUp(): void {
    const { stdin, stdio } = this.options.child;
    stdin?.destroy();
    for (const channel of stdio.slice(3)) channel?.destroy();
  }
}
