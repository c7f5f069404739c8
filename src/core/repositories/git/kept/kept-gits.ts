import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { registerSlots } from '#kernel/log/gauges.js';
import { KeptGit } from './kept-git.js';

/** Limits of kept git processes. */
interface KeptLimits {
  /** Number of processes. */
  readonly processes: number;
  /** A process that is idle for this long ends. */
  readonly idleMs: number;
  /** A process that does not answer for this long is killed. */
  readonly answerMs: number;
}

/** Current limits. */
export const KEPT_LIMITS: Readonly<KeptLimits> = { processes: 16, idleMs: 8_000, answerMs: 10_000 };

const LOOK_EVERY_MS = 1_000;

/**
 * A git process knows only the packs it has seen. The modification time of the pack folder reveals new packs,
 * with this resolution.
 */
const COARSE_MS = 1_000;

interface Kept {
  readonly git: KeptGit;
  /** State of the pack folder that the process has seen. */
  readonly packs: string;
  /** Until when that state may be trusted. */
  readonly until: number;
}

/** Keeps git processes for further requests, one per repository. */
export class KeptGits {
  /** By repository path; the most recently used is last. */
  private readonly kept = new Map<string, Kept>();
  private readonly running = new Set<KeptGit>();
  /** Looks at pack folders that began in this turn of the event loop. */
  private readonly looks = new Map<string, Promise<Stats | null>>();
  private timer: NodeJS.Timeout | undefined;
  private sharers = 1;

  constructor(private readonly limits: KeptLimits) {}

  /** Number of running processes. */
  get count(): number {
    return this.running.size;
  }

  /** Returns the process of a repository in its present state; null if it can have none. */
  async of(repositoryPath: string): Promise<KeptGit | null> {
    const found = await this.look(repositoryPath);
    const known = this.kept.get(repositoryPath);
    const now = performance.now();
    const packs = found ? [found.dev, found.ino, found.mtimeMs, found.ctimeMs].join(' ') : '';
    if (known && !known.git.isSpent && known.packs === packs && now < known.until) {
      this.kept.delete(repositoryPath);
      this.kept.set(repositoryPath, known);
      return known.git;
    }
    if (known) this.forget(repositoryPath, known);
    if (!found || !this.makeRoom()) return null;
    const git = KeptGit.start(repositoryPath, this.limits.answerMs, (ended) => this.running.delete(ended));
    if (!git) return null;
    this.running.add(git);
    // Files have the time of the system, which may be set back; the span from now on must not depend on it.
    const until = Date.now() - found.mtimeMs < COARSE_MS ? now + COARSE_MS : Infinity;
    this.kept.set(repositoryPath, { git, packs, until });
    this.timer ??= setInterval(() => this.sweep(), LOOK_EVERY_MS).unref();
    return git;
  }

  /** Questions of one turn share a lookup: no caller has received a later state before it began. */
  private look(repositoryPath: string): Promise<Stats | null> {
    const begun = this.looks.get(repositoryPath);
    if (begun) return begun;
    const look = stat(join(repositoryPath, 'objects/pack')).catch(() => null);
    if (this.looks.size === 0) setImmediate(() => this.looks.clear());
    this.looks.set(repositoryPath, look);
    return look;
  }

  /**
   * Ends the process of a repository that is removed, moved or repacked, because it would hold deleted files
   * open.
   */
  end(repositoryPath: string): void {
    const known = this.kept.get(repositoryPath);
    if (known) this.forget(repositoryPath, known);
  }

  /** Divides the slots among this many processes of the machine. */
  share(sharers: number): void {
    this.sharers = sharers;
  }

  /** Ends all processes. */
  endAll(): void {
    for (const git of this.running) git.lose('is no longer needed');
    this.kept.clear();
    this.rest();
  }

  /**
   * Returns whether there is room; otherwise ends the longest idle process, which makes room for the next
   * request.
   */
  private makeRoom(): boolean {
    if (this.running.size < Math.ceil(this.limits.processes / this.sharers)) return true;
    const idle = [...this.kept].find(([, { git }]) => !git.isBusy);
    if (idle) this.forget(...idle);
    return false;
  }

  private forget(path: string, { git }: Kept): void {
    this.kept.delete(path);
    git.leave();
  }

  private sweep(): void {
    const before = performance.now() - this.limits.idleMs;
    for (const [path, known] of this.kept)
      if (known.git.isSpent || (!known.git.isBusy && known.git.usedAt <= before)) this.forget(path, known);
    if (this.running.size === 0) this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** The kept git processes of this Node.js process. */
export const keptGits = new KeptGits(KEPT_LIMITS);
registerSlots('git', 'kept', {
  get running() {
    return keptGits.count;
  },
  waiting: 0,
});
