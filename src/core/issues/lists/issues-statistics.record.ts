import { Count } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';

/** How many issues there are. */
export class IssueCountsRecord {
  @Count()
  all!: number;

  @Count()
  closed!: number;

  @Count()
  opened!: number;
}

/** What is counted. */
export class IssueStatisticsRecord {
  @Nested(() => IssueCountsRecord)
  counts!: IssueCountsRecord;
}

/** The numbers of issues that filters keep. */
export class IssuesStatisticsRecord {
  @Nested(() => IssueStatisticsRecord)
  statistics!: IssueStatisticsRecord;
}
