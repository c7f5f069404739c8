import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { isoTime } from '#kernel/http/times.js';
import type { FreezeWindow } from './times/freeze-window.js';

/** When a project must not be deployed (`api-v4.md` 2.9). */
export class FreezePeriodRecord {
  @Id()
  id!: number;

  @Text({ description: 'Cron expression of five fields', example: '0 18 * * 5' })
  freeze_start!: string;

  @Text({ description: 'Cron expression of five fields', example: '0 6 * * 1' })
  freeze_end!: string;

  @Text({ example: 'Europe/Berlin' })
  cron_timezone!: string;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;
}

/** An active freeze period with its present window. */
export class ActiveFreezePeriodRecord extends FreezePeriodRecord {
  @IsoTime()
  freeze_start_at!: string;

  @IsoTime()
  freeze_end_at!: string;
}

/** The next change: an active freeze ends before another starts. */
export class NextFreezeRecord {
  @IsoTime({ nullable: true, description: 'When a freeze starts next' })
  freeze_start_at!: string | null;

  @IsoTime({ nullable: true, description: 'End of the current freeze, or else of the next one' })
  freeze_end_at!: string | null;
}

/** Whether a project is frozen now (`decisions.md` 3). */
export class FreezeStatusRecord {
  @Flag()
  frozen!: boolean;

  @ListOf(() => ActiveFreezePeriodRecord)
  active!: ActiveFreezePeriodRecord[];

  @Nested(() => NextFreezeRecord)
  next!: NextFreezeRecord;
}

/** Row of a freeze period. */
export interface FreezePeriodRow extends Omit<FreezePeriodRecord, 'created_at' | 'updated_at'> {
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Presents a freeze period. */
export const presentFreezePeriod = (row: FreezePeriodRow): FreezePeriodRecord => ({
  id: row.id,
  freeze_start: row.freeze_start,
  freeze_end: row.freeze_end,
  cron_timezone: row.cron_timezone,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

/** Presents an active freeze period. */
export const presentActive = (row: FreezePeriodRow, { start, end }: FreezeWindow): ActiveFreezePeriodRecord =>
  Object.assign(presentFreezePeriod(row), {
    freeze_start_at: isoTime(new Date(start)),
    freeze_end_at: isoTime(new Date(end)),
  });
