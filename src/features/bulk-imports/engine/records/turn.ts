import type { ImportLimits } from '../import-limits.js';

/**
 * Thrown when a run has used up its time with files of the source; another run continues behind waiting ones.
 * `isGain`: it has made progress.
 */
export class TurnOver extends Error {
  override readonly name = 'TurnOver';

  constructor(
    readonly isGain: boolean,
    /** Whether this was already the longest turn. */
    readonly isLongest: boolean,
  ) {
    super('The source is slow');
  }
}

type Lengths = Pick<ImportLimits, 'turnMs' | 'longestTurnMs'>;

/** Time that is left to a run. */
export interface TimeLeft {
  readonly leftMs: number;
  /** Whether there are no longer turns. */
  readonly isLongest: boolean;
}

const lengthOf = ({ turnMs, longestTurnMs }: Lengths, former: number): number =>
  Math.min(longestTurnMs, turnMs * 2 ** Math.min(former, 30));

/**
 * Time that a run may spend on files or lists of a source, so that a slow one does not block others: longer
 * after turns without progress.
 */
export class Turn implements TimeLeft {
  private readonly endsAt: number;
  readonly isLongest: boolean;

  /** @param former previous turns without progress */
  constructor(limits: Lengths, former: number) {
    const lengthMs = lengthOf(limits, former);
    this.endsAt = performance.now() + lengthMs;
    this.isLongest = lengthMs === limits.longestTurnMs;
  }

  get leftMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  /** Asserts that time is left; `isGain`: the run has made progress. @throws TurnOver */
  assertTime(isGain: boolean): void {
    if (this.leftMs === 0) throw new TurnOver(isGain, this.isLongest);
  }
}

/**
 * Time that a run may wait for answers about users, in sum: the file between them would have to be fetched
 * again after the turn.
 */
export class WaitingTime implements TimeLeft {
  private spentMs = 0;
  private begunAt: number | null = null;
  private readonly lengthMs: number;
  readonly isLongest: boolean;

  /** @param former previous turns without progress */
  constructor(limits: Lengths, former: number) {
    this.lengthMs = lengthOf(limits, former);
    this.isLongest = this.lengthMs === limits.longestTurnMs;
  }

  get leftMs(): number {
    const running = this.begunAt === null ? 0 : performance.now() - this.begunAt;
    return Math.max(0, this.lengthMs - this.spentMs - running);
  }

  /** Counts the time of `work`, one at a time. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    this.begunAt = begunAt;
    try {
      return await work();
    } finally {
      this.begunAt = null;
      this.spentMs += performance.now() - begunAt;
    }
  }
}
