import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { IssuableLists } from '#core/issuables/lists/issuable-lists.js';
import { assigneeOf } from '#core/issuables/lists/list-starts.js';
import { shapesOf } from '#core/issuables/lists/listed-kind.js';
import { startsFromFew } from '#core/issuables/lists/starts-from-few.js';
import { issueColumns, type IssueRow } from '../issue.record.js';
import { issueCounts } from '../issue-counts.js';
import { GroupIssues, ISSUE_COUNTERS } from './group-issues.js';
import { filterIssues, orderIssues } from './issue-filters.js';
import { visibleBelow, visibleInProject, visibleThoughConfidential } from './issue-visibility.js';
import type { IssueCountsRecord } from './issues-statistics.record.js';
import type { ListIssuesParams } from './list-issues.params.js';

const COUNTS = `count(*) as "all", count(*) filter (where i.state = 'closed') as closed, count(*) filter (where i.state = 'opened') as opened`;

/** Lists of issues. */
@Injectable()
export class IssueListQueries extends IssuableLists<IssueRow, ListIssuesParams> {
  constructor(private readonly database: ReadDatabase) {
    super({
      kind: ISSUE,
      tallied: 'issue',
      part: 'issues',
      least: Role.Guest,
      hidesSome: true,
      personBelow: assigneeOf,
      shapes: shapesOf(ISSUE, issueColumns),
      counters: ISSUE_COUNTERS,
      visible: {
        inProject: ({ actor, role }) => visibleInProject(actor, role),
        below: visibleBelow,
        anywhere: visibleThoughConfidential,
      },
      counts: issueCounts,
      filter: filterIssues,
      order: orderIssues,
      isFew: startsFromFew,
      ofGroup: (...given) => new GroupIssues(...given),
    });
  }

  /** Counts the issues of a list by state. */
  async countByState(query: ListQuery<object>): Promise<IssueCountsRecord> {
    const { text, values } = query.aggregateStatement(COUNTS);
    const [counts] = await this.database.long<IssueCountsRecord>(text, values);
    return counts ?? { all: 0, closed: 0, opened: 0 };
  }
}
