import { Count } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';

/** Numbers of issues. */
export class IssueCountsRecord {
  @Count()
  all!: number;

  @Count()
  closed!: number;

  @Count()
  opened!: number;
}

/** Counts of issues by state. */
export class IssueStatisticsRecord {
  @Nested(() => IssueCountsRecord)
  counts!: IssueCountsRecord;
}

/** Response with the counts of filtered issues. */
export class IssuesStatisticsRecord {
  @Nested(() => IssueStatisticsRecord)
  statistics!: IssueStatisticsRecord;
}
