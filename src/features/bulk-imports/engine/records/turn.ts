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

/**
 * Time that a run may spend on files of a source, so that a slow one does not block others: longer after
 * turns without progress.
 */
export class Turn {
  private readonly endsAt: number;
  readonly isLongest: boolean;

  /** @param former previous turns without progress */
  constructor({ turnMs, longestTurnMs }: Pick<ImportLimits, 'turnMs' | 'longestTurnMs'>, former: number) {
    const lengthMs = Math.min(longestTurnMs, turnMs * 2 ** Math.min(former, 30));
    this.endsAt = performance.now() + lengthMs;
    this.isLongest = lengthMs === longestTurnMs;
  }

  get leftMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }
}
