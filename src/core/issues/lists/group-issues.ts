import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { ListShape, Statement } from '#kernel/database/lists/list-query.js';
import { MergedListQuery, type MergePlan } from '#kernel/database/lists/merged-list-query.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import { isUnfiltered } from './issue-filters.js';
import type { IssueRow } from '../issue.record.js';
import { visibleInProject } from './issue-visibility.js';
import type { ListIssuesParams } from './list-issues.params.js';

/** What the counter row `c` of a project knows of its issues, by their state. */
const COUNTERS = {
  all: 'c.live_count',
  opened: 'c.open_count',
  closed: 'c.live_count - c.open_count',
} as const;

/** The counter of all issues of a state, where the parameters ask for nothing else; else null. */
export function counterOf({ state = 'all', ...rest }: ListIssuesParams): string | null {
  return isUnfiltered(rest) ? COUNTERS[state] : null;
}

/** The sum of such a counter over the projects `s`, as a total that is read with the rows. */
export const sumOfCounters = (counter: string): string =>
  `select coalesce(sum(${counter}), 0)::bigint from s join internal_ids c on c.project_id = s.project_id and c.usage = 'issues'`;

/** Condition: the caller sees all issues of the project `v`. */
function seesAll(actor: Actor | null): SqlPiece {
  if (actor?.admin) return { sql: 'true', values: [] };
  if (!actor) return { sql: 'false', values: [] };
  return { sql: `v.project_id in (${authorizedSql(Role.Reporter)})`, values: [actor.id] };
}

/** Issues of a group's projects. Without other filters than the state their total is the sum of counters, wherever nothing is hidden from the caller. */
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
    const counter = counterOf(this.params);
    if (counter === null) return super.countStatement(limit);
    const { state = 'all' } = this.params;
    const all = seesAll(this.caller.actor);
    const some = visibleInProject(this.caller.actor, Role.None);
    const values = [...all.values, ...this.projects.values, ...some.values, state, limit, limit];
    const text = `with s as materialized (select v.project_id, ${all.sql} as whole from (${this.projects.sql}) v)
      select (${sumOfCounters(counter)} where s.whole)
        + (select count(*) from (select 1 from s cross join lateral (select 1 from issues i where i.project_id = s.project_id and ${some.sql}
          and ?::text in ('all', i.state) limit ?) b where not s.whole limit ?) counted) as total`;
    let index = 0;
    return { text: text.replace(/\?/g, () => `$${(index += 1)}`), values };
  }
}
