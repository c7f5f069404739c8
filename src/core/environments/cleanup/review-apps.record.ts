import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { EnvironmentBasicRecord } from '../environment-basic.record.js';

/** What removing stopped review environments has scheduled, or would. */
export class ReviewAppsRecord {
  @ListOf(() => EnvironmentBasicRecord)
  scheduled_entries!: EnvironmentBasicRecord[];

  @ListOf(() => EnvironmentBasicRecord)
  unprocessable_entries!: EnvironmentBasicRecord[];
}
