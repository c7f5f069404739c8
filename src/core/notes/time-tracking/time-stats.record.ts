import { Count, Text } from '#kernel/http/fields/scalar-fields.js';
import { humanDuration } from './durations.js';

/** How long something was thought to take, and how long it has taken (`planning.md` 5.8). */
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

/** The columns that issues and merge requests have of it. */
export interface TimeStatsRow {
  readonly time_estimate: number;
  readonly total_time_spent: number;
}

/** The record of both times. */
export const presentTimeStats = ({
  time_estimate: estimate,
  total_time_spent: spent,
}: TimeStatsRow): TimeStatsRecord => ({
  time_estimate: estimate,
  total_time_spent: spent,
  human_time_estimate: humanDuration(estimate),
  human_total_time_spent: humanDuration(spent),
});
