import { Count, Text } from '#kernel/http/fields/scalar-fields.js';
import { humanDuration } from './durations.js';

/** Estimated and spent time (`planning.md` 5.8). */
export class TimeStatsRecord {
  @Count({ description: 'Seconds' })
  time_estimate!: number;

  @Count({ description: 'Seconds' })
  total_time_spent!: number;

  @Text({ nullable: true, example: '3h 30m' })
  human_time_estimate!: string | null;

  @Text({ nullable: true, example: '3h 30m' })
  human_total_time_spent!: string | null;
}

/** Columns of issues and merge requests for it. */
export interface TimeStatsRow {
  readonly time_estimate: number;
  readonly total_time_spent: number;
}

/** Presents both times. */
export const presentTimeStats = ({
  time_estimate: estimate,
  total_time_spent: spent,
}: TimeStatsRow): TimeStatsRecord => ({
  time_estimate: estimate,
  total_time_spent: spent,
  human_time_estimate: humanDuration(estimate),
  human_total_time_spent: humanDuration(spent),
});
