import { Integer } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';

/** How many issues there are. */
export class IssueCountsRecord {
  @Integer()
  all!: number;

  @Integer()
  closed!: number;

  @Integer()
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
