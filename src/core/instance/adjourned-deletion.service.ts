import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { SettingsService } from './settings/settings.service.js';

const DAY_MS = 86_400_000;

/** Grace period of groups and projects marked for deletion, from the setting at the time they were marked. */
@Injectable()
export class AdjournedDeletionService {
  constructor(private readonly settings: SettingsService) {}

  /** Returns how long an object deleted now is kept, in milliseconds; 0: it is deleted at once. */
  delayMs({ tier }: Pick<Caller, 'tier'>, isPermanent: boolean): number {
    return tier >= Tier.Premium && !isPermanent ? this.periodMs : 0;
  }

  /** Returns how long an object marked at a time is still kept, by the present setting. */
  restMs(markedForDeletionAt: Date): number {
    return Math.max(0, markedForDeletionAt.getTime() + this.periodMs - Date.now());
  }

  /**
   * Returns whether a job belongs to the current mark: an object that was restored and marked again has
   * another job.
   */
  static isDue(markedForDeletionAt: Date | null, markedAt: string | undefined): boolean {
    return markedAt !== undefined && markedForDeletionAt?.getTime() === Date.parse(markedAt);
  }

  private get periodMs(): number {
    return this.settings.values.deletion_adjourned_period * DAY_MS;
  }
}
