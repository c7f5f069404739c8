import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { EnvironmentBasicRecord } from '../environment-basic.record.js';

/** Result of scheduling, or of a dry run. */
export class ReviewAppsRecord {
  @ListOf(() => EnvironmentBasicRecord)
  scheduled_entries!: EnvironmentBasicRecord[];

  @ListOf(() => EnvironmentBasicRecord)
  unprocessable_entries!: EnvironmentBasicRecord[];
}
