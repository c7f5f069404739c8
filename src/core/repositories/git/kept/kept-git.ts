import type { OpenCommand } from '#kernel/processes/command.js';
import { untilAborted } from '#kernel/time/until-aborted.js';
import { within } from '#kernel/time/within.js';
import { GitFailure } from '../git-failure.js';
import { gitStarter } from '../processes/git-starter.js';
import { gitCommand } from '../processes/spawn-git.js';
import { readAnswer, type KeptObject, type KeptQuestion } from './kept-answer.js';

/** Thrown if the process ended or printed something unexpected; callers retry with another process. */
export class KeptGitLost extends Error {}

/** Limit of requests waiting for a process. */
const MAX_WAITING = 256;
/** Git caches what it reads, so a process is replaced after this many answers. */
const MAX_ANSWERS = 10_000;
const ARGS = ['-c', 'core.warnAmbiguousRefs=false', 'cat-file', '--batch-command', '-z'];

interface Waiting {
  readonly question: KeptQuestion;
  readonly resolve: (object: KeptObject | null) => void;
  readonly reject: (error: Error) => void;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** A git process that answers requests for objects of a repository, one after the other. */
export class KeptGit {
  usedAt = performance.now();
  private readonly running: OpenCommand;
  private readonly waiting: Waiting[] = [];
  /** Requests of this turn of the event loop, sent in one write. */
  private unsent = '';
  private said = NOTHING;
  private answers = 0;
  private isOver = false;
  private isLeaving = false;

  /** Starts a process; null if it cannot be started. `onEnd` is called when it ends. */
  static start(repositoryPath: string, timeoutMs: number, onEnd: (git: KeptGit) => void): KeptGit | null {
    const git: { started?: KeptGit } = {};
    const running = gitStarter.converse(gitCommand('read', repositoryPath, ARGS, {}, true), {
      output: (piece) => git.started?.take(piece),
      errors: () => git.started?.lose('complains'),
      closed: () => git.started?.end(onEnd),
      failed: () => git.started?.end(onEnd),
    });
    return running && (git.started = new KeptGit(running, timeoutMs));
  }

  private constructor(
    running: OpenCommand,
    private readonly timeoutMs: number,
  ) {
    this.running = running;
  }

  /** Whether requests are waiting for answers. */
  get isBusy(): boolean {
    return this.waiting.length > 0;
  }

  /** Whether the process should get no further requests. */
  get isSpent(): boolean {
    return this.isOver || this.isLeaving || this.answers >= MAX_ANSWERS;
  }

  /**
   * Returns the answers in order; null for missing objects. @throws KeptGitLost; GitFailure if they take too
   * long
   */
  async ask(
    questions: readonly KeptQuestion[],
    signal: AbortSignal | undefined,
  ): Promise<(KeptObject | null)[]> {
    if (this.isSpent || this.waiting.length + questions.length > MAX_WAITING) throw new KeptGitLost();
    this.usedAt = performance.now();
    const answers = Promise.all(questions.map((question) => this.enqueue(question)));
    if (this.unsent === '') process.nextTick(() => this.send());
    this.unsent += questions.map(({ command, name }) => `${command} ${name}\0`).join('');
    return untilAborted(signal, this.inTime(answers));
  }

  private send(): void {
    const { unsent } = this;
    this.unsent = '';
    this.running.write(unsent);
  }

  /** Ends a process that does not respond, even if the caller has left. */
  private async inTime(answers: Promise<(KeptObject | null)[]>): Promise<(KeptObject | null)[]> {
    const objects = await within(this.timeoutMs, answers, () => null);
    if (objects !== null) return objects;
    this.lose('does not respond');
    throw new GitFailure('cat-file', 'timeout', null, '');
  }

  private enqueue(question: KeptQuestion): Promise<KeptObject | null> {
    return new Promise((resolve, reject) => this.waiting.push({ question, resolve, reject }));
  }

  /** Ends the process once no request is waiting. */
  leave(): void {
    this.isLeaving = true;
    if (!this.isBusy) this.lose('is no longer needed');
  }

  /** Ends the process now; waiting requests retry with another one. */
  lose(why: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.running.kill();
    this.said = NOTHING;
    const error = new KeptGitLost(`The process of git ${why}`);
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }

  private end(onEnd: (git: KeptGit) => void): void {
    this.lose('has ended');
    onEnd(this);
  }

  private take(piece: Buffer): void {
    if (this.isOver) return;
    this.said = this.said.length === 0 ? piece : Buffer.concat([this.said, piece]);
    let at = 0;
    while (at < this.said.length) {
      const [first] = this.waiting;
      const answer = first ? readAnswer(this.said.subarray(at), first.question) : 'strange';
      if (answer === 'strange') {
        this.lose('sends an invalid response');
        return;
      }
      if (answer === null) break;
      at += answer.length;
      this.answers += 1;
      this.waiting.shift()?.resolve(answer.object);
    }
    this.said = this.said.subarray(at);
    if (this.isLeaving && !this.isBusy) this.lose('is no longer needed');
  }
}
