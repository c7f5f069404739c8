import type { Caller, GroupCaller, ProjectCaller } from '#kernel/access/caller.js';
import { ListQuery } from '#kernel/database/lists/list-query.js';
import { MergedListQuery, type MergePlan } from '#kernel/database/lists/merged-list-query.js';
import {
  readableProjects,
  reportsBelow,
  reportsIn,
  type SqlPiece,
} from '#core/projects/lists/readable-projects.js';
import { ListPlanner } from './list-planner.js';
import { isUnfiltered, type ListedKind, type ListFilters, type ListShapes } from './listed-kind.js';

/** A function that restricts a list. */
export type Narrowing = (query: ListQuery<object>) => unknown;

/**
 * SQL expression: the sum of a counter of a usage over the projects `s`, as a total that is read with the
 * rows.
 */
export const sumOfCounters = (usage: string, counter: string): string =>
  `select coalesce(sum(${counter}), 0)::bigint from s join internal_ids c on c.project_id = any(array[s.project_id]) and c.usage = '${usage}'`;

/** Lists of issues or of merge requests: planned, filtered and ordered by parameters. */
export class IssuableLists<Row extends object, Filters extends ListFilters> {
  private readonly planner: ListPlanner<Filters>;

  constructor(private readonly listed: ListedKind<Row, Filters>) {
    this.planner = new ListPlanner(listed);
  }

  /** Lists those of the caller's project. */
  ofProject(caller: ProjectCaller, params: Filters, narrow?: Narrowing): ListQuery<Row> {
    const { kind, part, visible } = this.listed;
    const { id } = caller.subject;
    const seen = visible.inProject(caller);
    const sees = seesAll(seen) && narrow === undefined;
    const planned = narrow ? null : this.planner.ofProject(caller.actor, id, params, sees);
    const query = planned
      ? this.merged(planned.plan, params)
      : this.list('project', params).of(`${kind.alias}.project_id`, id);
    narrow?.(query);
    this.complete(query, caller, planned?.rest ?? params, reportsBelow(caller), seen);
    const counter = sees ? this.counterOf(params) : null;
    if (counter === null) return query;
    return query.totalWithRows(
      `select ${counter} from internal_ids c where c.project_id = ? and c.usage = '${part}'`,
      id,
    );
  }

  /** Lists those of the projects below the caller's group that the caller may read. */
  ofGroup(caller: GroupCaller, params: Filters, narrow?: Narrowing): ListQuery<Row> {
    const { kind, part, visible, shapes, isFew, ofGroup } = this.listed;
    const seen = visible.below(caller);
    const projects = this.planner.projectsOfGroup(caller, params);
    const few = narrow !== undefined || isFew(params, caller);
    const sees = seesAll(seen);
    const planned = narrow ? null : this.planner.ofProjects(caller.actor, projects, params, { sees, few });
    if (!planned) {
      const query = this.list('project', params);
      if (few) {
        // What selects few rows has its own index.
        const inside = this.planner.inGroup(caller, params);
        query.where(inside.sql, ...inside.values);
      } else
        query.from(
          `select * from ${kind.table} where project_id = any(array(select v.project_id from (${projects.sql}) v)) order by project_id`,
          ...projects.values,
        );
      narrow?.(query);
      return this.complete(query, caller, params, reportsBelow(caller), seen);
    }
    const counter = sees ? this.counterOf(params) : null;
    const plan = counter === null ? planned.plan : { ...planned.plan, total: sumOfCounters(part, counter) };
    const shape = shapes.project[params.with_labels_details ? 1 : 0];
    const query = ofGroup?.(shape, plan, caller, params) ?? this.merged(plan, params);
    return this.complete(query, caller, planned.rest, reportsBelow(caller), seen);
  }

  /** Lists those of all projects that the caller may read; `scope` is used unchanged. */
  everywhere(caller: Caller, params: Filters): ListQuery<Row> {
    const { actor } = caller;
    const { part, least, visible, isFew } = this.listed;
    const person = this.planner.ofPerson(actor, params);
    if (person) {
      const seen = person.userId === actor?.id ? ALL : visible.anywhere(actor);
      const query = this.merged(person.plan, params);
      return this.complete(query, caller, person.rest, reportsIn(actor), seen);
    }
    const readable = readableProjects(actor, part, least);
    const query = this.list(isFew(params, caller) ? 'few' : 'many', params);
    query.where(readable.sql, ...readable.values);
    if (params.non_archived !== false) query.where('not p.archived');
    return this.complete(query, caller, params, reportsIn(actor), visible.anywhere(actor));
  }

  /**
   * Lists those that `narrow` keeps, for other lists whose callers may read them. With `project`, all of them
   * are of the caller's project or below the group.
   */
  narrowed(of: keyof ListShapes, caller: Caller, params: Filters, narrow: Narrowing): ListQuery<Row> {
    const query = this.list(of, params);
    narrow(query);
    const reports = of === 'project' ? reportsBelow(caller) : reportsIn(caller.actor);
    return this.complete(query, caller, params, reports);
  }

  private list(of: keyof ListShapes, { with_labels_details: details }: Filters): ListQuery<Row> {
    return new ListQuery<Row>(this.listed.shapes[of][details ? 1 : 0]);
  }

  private merged(plan: MergePlan, { with_labels_details: details, sort = 'desc' }: Filters): ListQuery<Row> {
    return new MergedListQuery<Row>(this.listed.shapes.project[details ? 1 : 0], plan, sort);
  }

  /** Returns the counter of all rows of a state, if there are no other filters; else null. */
  private counterOf({ state = 'all', ...rest }: ListFilters): string | null {
    return isUnfiltered(rest) ? (this.listed.counters[state] ?? null) : null;
  }

  private complete(
    query: ListQuery<Row>,
    caller: Caller,
    params: Filters,
    reports: SqlPiece,
    seen = ALL,
  ): ListQuery<Row> {
    if (!seesAll(seen)) query.where(seen.sql, ...seen.values);
    const counts = this.listed.counts(caller.actor, reports);
    query.show(counts.sql, ...counts.values);
    this.listed.filter(query, params, caller);
    this.listed.order(query, params);
    return query;
  }
}

/** Condition that hides nothing. */
export const ALL: SqlPiece = { sql: 'true', values: [] };

const seesAll = ({ sql }: SqlPiece): boolean => sql === ALL.sql;
