import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
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
import type { ListIssuesParams } from './list-issues.params.js';

/** Lists of issues. */
@Injectable()
export class IssueListQueries extends IssuableLists<IssueRow, ListIssuesParams> {
  constructor() {
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
}
