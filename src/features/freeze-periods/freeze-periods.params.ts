import { Id, Text } from '#kernel/http/fields/scalar-fields.js';

const CRON = 'Cron expression of five fields: minute, hour, day of the month, month, day of the week';
const ZONE = 'IANA or Rails name of a time zone; default UTC';

/** Parameters of a new freeze period. */
export class CreateFreezePeriodParams {
  @Text({ blank: true, trim: true, description: CRON, example: '0 18 * * 5' })
  freeze_start!: string;

  @Text({ blank: true, trim: true, description: CRON, example: '0 6 * * 1' })
  freeze_end!: string;

  @Text({ optional: true, trim: true, description: ZONE, example: 'Europe/Berlin' })
  cron_timezone?: string;
}

/** Path parameters of a freeze period. */
export class FindFreezePeriodParams {
  @Id()
  freeze_period_id!: number;
}

/** Parameters of an update of a freeze period. */
export class UpdateFreezePeriodParams extends FindFreezePeriodParams {
  @Text({ optional: true, nullable: true, trim: true, description: CRON })
  freeze_start?: string | null;

  @Text({ optional: true, nullable: true, trim: true, description: CRON })
  freeze_end?: string | null;

  @Text({ optional: true, nullable: true, trim: true, description: ZONE })
  cron_timezone?: string | null;
}
