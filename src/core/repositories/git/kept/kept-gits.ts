import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { registerPlaces } from '#kernel/log/metrics.js';
import { KeptGit } from './kept-git.js';

/** Times and bounds. */
interface KeptLimits {
  /** Processes at a time. */
  readonly processes: number;
  /** One that is asked nothing for so long ends. */
  readonly idleMs: number;
  /** One that does not answer for so long is killed. */
  readonly answerMs: number;
}

/** In force whenever they are read. */
export const KEPT_LIMITS: Readonly<KeptLimits> = { processes: 16, idleMs: 8_000, answerMs: 10_000 };

const LOOK_EVERY_MS = 1_000;

/** Git knows the packs that it has seen: whether others are there now the folder of packs tells, whose time has steps. */
const COARSE_MS = 1_000;

interface Kept {
  readonly git: KeptGit;
  /** Which folder of packs it has seen, and as of when. */
  readonly packs: string;
  /** When it must not be believed any more. */
  readonly until: number;
}

/** Processes of git that are kept for the next question, one a repository, and those that end. */
export class KeptGits {
  /** By folder; whose was used last comes last. */
  private readonly kept = new Map<string, Kept>();
  private readonly running = new Set<KeptGit>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: KeptLimits) {}

  /** Processes that run. */
  get count(): number {
    return this.running.size;
  }

  /** The process of a repository, as it lies there now; null where it can have none. */
  async of(repositoryPath: string): Promise<KeptGit | null> {
    const found = await stat(join(repositoryPath, 'objects/pack')).catch(() => null);
    const known = this.kept.get(repositoryPath);
    const now = Date.now();
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
    const until = now - found.mtimeMs < COARSE_MS ? now + COARSE_MS : Infinity;
    this.kept.set(repositoryPath, { git, packs, until });
    this.timer ??= setInterval(() => this.sweep(), LOOK_EVERY_MS).unref();
    return git;
  }

  /** Ends the process of a repository that is removed, moved or packed anew: it would hold files that are gone. */
  end(repositoryPath: string): void {
    const known = this.kept.get(repositoryPath);
    if (known) this.forget(repositoryPath, known);
  }

  /** Ends all. */
  endAll(): void {
    for (const git of this.running) git.lose('is not needed any more');
    this.kept.clear();
    this.rest();
  }

  /** Whether there is room. Where there is none, whoever was asked nothing for the longest time makes some for the next one. */
  private makeRoom(): boolean {
    if (this.running.size < this.limits.processes) return true;
    const idle = [...this.kept].find(([, { git }]) => !git.isBusy);
    if (idle) this.forget(...idle);
    return false;
  }

  private forget(path: string, { git }: Kept): void {
    this.kept.delete(path);
    git.leave();
  }

  private sweep(): void {
    const before = Date.now() - this.limits.idleMs;
    for (const [path, known] of this.kept)
      if (known.git.isSpent || (!known.git.isBusy && known.git.usedAt <= before)) this.forget(path, known);
    if (this.running.size === 0) this.rest();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Those of this process. */
export const keptGits = new KeptGits(KEPT_LIMITS);
registerPlaces('git', 'kept', {
  get running() {
    return keptGits.count;
  },
  waiting: 0,
});
