import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Tier } from '#kernel/access/roles.js';
import { SettingsService } from './settings/settings.service.js';

const DAY_MS = 86_400_000;

/** Groups and projects that are marked for deletion are deleted after the days of grace that the setting gave when they were marked. */
@Injectable()
export class AdjournedDeletionService {
  constructor(private readonly settings: SettingsService) {}

  /** How long what a caller deletes now is kept; 0: it is deleted at once. */
  delayMs({ tier }: Pick<Caller, 'tier'>, isPermanent: boolean): number {
    return tier >= Tier.Premium && !isPermanent ? this.periodMs : 0;
  }

  /** How long what was marked at a time is still kept, by the setting as it is now. */
  restMs(markedForDeletionAt: Date): number {
    return Math.max(0, markedForDeletionAt.getTime() + this.periodMs - Date.now());
  }

  /** Whether a job was enqueued by the very mark that something carries now: what was restored and marked again has another job. */
  static isDue(markedForDeletionAt: Date | null, markedAt: string | undefined): boolean {
    return markedAt !== undefined && markedForDeletionAt?.getTime() === Date.parse(markedAt);
  }

  private get periodMs(): number {
    return this.settings.values.deletion_adjourned_period * DAY_MS;
  }
}
