import type { ImportLimits } from '../import-limits.js';

/** A run has had its time with files of the source; another one goes on behind those that wait. `isGain`: it has got further. */
export class TurnOver extends Error {
  override readonly name = 'TurnOver';

  constructor(
    readonly isGain: boolean,
    /** Whether a longer turn could help. */
    readonly isLongest: boolean,
  ) {
    super('The source is slow');
  }
}

/** The time that one run may spend with the files of a source, so that a slow one does not keep the others waiting: longer where nothing comes of a shorter one. */
export class Turn {
  private readonly endsAt: number;
  readonly isLongest: boolean;

  /** @param former turns in vain before this one */
  constructor({ turnMs, longestTurnMs }: Pick<ImportLimits, 'turnMs' | 'longestTurnMs'>, former: number) {
    const lengthMs = Math.min(longestTurnMs, turnMs * 2 ** Math.min(former, 30));
    this.endsAt = Date.now() + lengthMs;
    this.isLongest = lengthMs === longestTurnMs;
  }

  get leftMs(): number {
    return Math.max(0, this.endsAt - Date.now());
  }
}
