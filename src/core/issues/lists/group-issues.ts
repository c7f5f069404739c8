import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListShape, Statement } from '#kernel/database/lists/list-query.js';
import { MergedListQuery, type MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { sumOfCounters } from '#core/issuables/lists/issuable-lists.js';
import { isUnfiltered } from '#core/issuables/lists/listed-kind.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import type { IssueRow } from '../issue.record.js';
import { visibleInProject } from './issue-visibility.js';
import type { ListIssuesParams } from './list-issues.params.js';

/** SQL expressions over the counter row `c` of a project, by state of issues. */
export const ISSUE_COUNTERS = {
  all: 'c.live_count',
  opened: 'c.open_count',
  closed: 'c.live_count - c.open_count',
} as const;

/** SQL condition: the caller can see all issues of the project `v`. */
function seesAll(actor: Actor | null): SqlPiece {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'false', values: [] };
  return { sql: `v.project_id in (${authorizedSql(Role.Reporter)})`, values: [actor.id] };
}

/**
 * Issues of a group's projects. Without filters other than the state, their total is the sum of counters of
 * projects that hide nothing from the caller.
 */
export class GroupIssues extends MergedListQuery<IssueRow> {
  private readonly projects: SqlPiece;

  constructor(
    shape: ListShape,
    plan: MergePlan,
    private readonly caller: Caller,
    private readonly params: ListIssuesParams,
  ) {
    super(shape, plan, params.sort ?? 'desc');
    this.projects = { sql: plan.sources, values: plan.values };
  }

  override countStatement(limit: number): Statement {
    const { state = 'all', ...rest } = this.params;
    if (!isUnfiltered(rest)) return super.countStatement(limit);
    const all = seesAll(this.caller.actor);
    const some = visibleInProject(this.caller.actor, Role.None);
    const values = [...all.values, ...this.projects.values, ...some.values, state, limit, limit];
    const text = `with s as materialized (select v.project_id, ${all.sql} as whole from (${this.projects.sql}) v)
      select (${sumOfCounters('issues', ISSUE_COUNTERS[state])} where s.whole)
        + (select count(*) from (select 1 from s cross join lateral (select 1 from issues i where i.project_id = any(array[s.project_id]) and ${some.sql}
          and ?::text in ('all', i.state) order by i.project_id limit ?) b where not s.whole limit ?) counted) as total`;
    let index = 0;
    return { text: text.replace(/\?/g, () => `$${(index += 1)}`), values };
  }
}
