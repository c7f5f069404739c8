import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { projectsBelow } from '#core/projects/lists/projects-below.sql.js';
import { readableBelow, readableProjects, type SqlPiece } from '#core/projects/lists/readable-projects.js';
import { authorizedSql } from '#core/projects/lists/visible-projects.js';
import { sumOfTallies, sumOverProjects, type Totals } from '../tallies/tally.sql.js';
import { personOf, titleOf, type ListStart } from './list-starts.js';
import { isUnfiltered, type ListFilters, type PlannedKind } from './listed-kind.js';
import { planInProjects, planOfPerson, type PersonLink } from './person-plan.js';

/** How a list is read, with the filters that remain to be applied. */
export interface ListPlan<Filters> {
  readonly plan: MergePlan;
  readonly rest: Filters;
}

/** The plan of a list about a person. */
export interface PersonsListPlan<Filters> extends ListPlan<Filters> {
  readonly userId: number;
}

/** What a list can start from. */
type From = PersonLink | 'label' | 'milestone';

type Start<Filters> = ListStart<Filters, PersonLink> | ListStart<Filters, 'label' | 'milestone'>;

/** A short list for a start, with its totals. */
interface ShortList {
  readonly list: Omit<MergePlan, 'sources' | 'values'>;
  readonly totals: Totals;
}

/** Queries for readers' private projects, and for projects with a part that is limited to members. */
const MEMBERS = { least: 'select id from mine', any: 'select id from met' };

/** Orders of lists over many projects that have an index. */
const INDEXED: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'id']);

/**
 * Finds the plan of a list that reads least: from a person, label or milestone in a filter, or from the
 * projects.
 */
export class ListPlanner<Filters extends ListFilters> {
  private readonly lists = new Map<From, ShortList>();

  constructor(private readonly listed: PlannedKind<Filters>) {}

  /**
   * Plans the list of one project, if a filter gives a better start than the project; else null. `sees`:
   * nothing is hidden from the caller.
   */
  ofProject(
    actor: Actor | null,
    projectId: number,
    params: Filters,
    sees: boolean,
  ): ListPlan<Filters> | null {
    const start = this.start(actor, params);
    return start && this.plan(start, sourcesIn(projectId, start), sees);
  }

  /**
   * Plans the list of many projects, by creation, update or id; null for other orders. `few`: a filter selects
   * few issuables, from which the list starts unless a person or title does better.
   */
  ofProjects(
    actor: Actor | null,
    projects: SqlPiece,
    params: Filters,
    { sees, few }: { readonly sees: boolean; readonly few: boolean },
  ): ListPlan<Filters> | null {
    const { order_by: order = 'created_at' } = params;
    if (!INDEXED.has(order)) return null;
    const start = this.start(actor, params);
    if (start) return this.plan(start, sourcesOver(projects, start), sees);
    if (few) return null;
    const { table, alias } = this.listed.kind;
    const by = { from: `${table} ${alias}`, order: `${alias}.${order}`, id: `${alias}.id` };
    // `coalesce` makes the planner hash the subquery: a join would lose the order of the index.
    const walk = { ...by, where: `coalesce(${alias}.project_id in (select s.project_id from s), false)` };
    const owner = [`${alias}.project_id`, 's.project_id'] as const;
    return { plan: { ...by, owner, sources: projects.sql, values: projects.values, walk }, rest: params };
  }

  /** Plans the list about a person over all projects; null if there is no person or another order. */
  ofPerson(actor: Actor | null, params: Filters): PersonsListPlan<Filters> | null {
    const start = personOf(actor, params);
    if (!start) return null;
    const { from: link, value: userId, rest } = start;
    const { kind, tallied, part, least, hidesSome } = this.listed;
    const readable = readableProjects(actor, part, least, MEMBERS);
    const shown = `${readable.sql}${params.non_archived === false ? '' : ' and not p.archived'}`;
    // Persons see what concerns themselves, even if it is hidden from others.
    const sees = !hidesSome || userId === actor?.id;
    const total = sees ? totalFor(sumOverProjects(tallied, link, shown), rest) : undefined;
    const table = actor && !actor.admin ? memberTables(actor.id, least) : undefined;
    return { plan: planOfPerson(kind, { link, userId, shown, table, total }), rest, userId };
  }

  /** Projects below the caller's group whose issuables the caller may read. */
  projectsOfGroup(caller: Caller, params: Filters): SqlPiece {
    const { sql, values } = this.readable(caller, params);
    return {
      sql: `select p.id as project_id, p.namespace_id from ${projectsBelow('?::bigint')} where ${sql}`,
      values: [caller.subject?.id ?? 0, ...values],
    };
  }

  /** SQL condition: the issuable is of such a project, looked up row by row. */
  inGroup(caller: Caller, params: Filters): SqlPiece {
    const { sql, values } = this.readable(caller, params);
    const { alias } = this.listed.kind;
    return {
      sql: `(select true from projects p join namespaces gn on gn.id = any(array[p.namespace_id])
        where p.id = any(array[${alias}.project_id]) and gn.traversal_ids @> array[?::bigint] and ${sql})`,
      values: [caller.subject?.id ?? 0, ...values],
    };
  }

  private readable(caller: Caller, { non_archived: live }: Filters): SqlPiece {
    const { sql, values } = readableBelow(caller, this.listed.part, this.listed.least);
    return { sql: live === false ? sql : `not p.archived and ${sql}`, values };
  }

  private start(actor: Actor | null, params: Filters): Start<Filters> | null {
    return this.listed.personBelow(actor, params) ?? titleOf(params);
  }

  private plan({ from, rest }: Start<Filters>, { sql, values }: SqlPiece, sees: boolean): ListPlan<Filters> {
    const { list, totals } = this.short(from);
    const total = sees ? totalFor(totals, rest) : undefined;
    return { plan: { ...list, sources: sql, values, total }, rest };
  }

  private short(from: From): ShortList {
    const known = this.lists.get(from) ?? this.shortOf(from);
    this.lists.set(from, known);
    return known;
  }

  private shortOf(from: From): ShortList {
    const { kind, tallied } = this.listed;
    const { table, alias, labels } = kind;
    const subject = (column: string, overlaps = false): Totals =>
      sumOfTallies(tallied, from, column, overlaps);
    if (from === 'label')
      return {
        list: {
          from: `${labels.table} dl join ${table} ${alias} on ${alias}.id = any(array[dl.${labels.key}])`,
          owner: ['dl.label_id', 's.label_id'],
          where: 'dl.project_id = s.project_id',
          order: 'dl.created_at',
          id: `dl.${labels.key}`,
          overlaps: true,
        },
        totals: subject('label_id', true),
      };
    if (from === 'milestone')
      return {
        list: {
          from: `${table} ${alias}`,
          owner: [`${alias}.milestone_id`, 's.milestone_id'],
          where: `${alias}.project_id = s.project_id`,
          order: `${alias}.created_at`,
          id: `${alias}.id`,
        },
        totals: subject('milestone_id'),
      };
    return { list: planInProjects(kind, from), totals: subject('user_id') };
  }
}

/** Returns the total that matches the remaining filters; undefined if there are others than the state. */
function totalFor({ all, opened }: Totals, { state = 'all', ...others }: ListFilters): string | undefined {
  if (!isUnfiltered(others)) return undefined;
  return ({ all, opened } as Readonly<Record<string, string>>)[state];
}

/** Returns the sources of a list of one project, in which titles are unique. */
function sourcesIn(projectId: number, { from, value }: Start<unknown>): SqlPiece {
  if (from !== 'label' && from !== 'milestone')
    return { sql: 'select ?::bigint as project_id, ?::bigint as user_id', values: [projectId, value] };
  return titledIn(from, value, {
    sql: 'select id as project_id, namespace_id from projects where id = ?',
    values: [projectId],
  });
}

/** Returns the sources over many projects: rows with `project_id` and `namespace_id`. */
function sourcesOver({ sql, values }: SqlPiece, { from, value }: Start<unknown>): SqlPiece {
  if (from !== 'label' && from !== 'milestone')
    return { sql: `select v.project_id, ?::bigint as user_id from (${sql}) v`, values: [value, ...values] };
  return titledIn(from, value, { sql, values });
}

/** Returns the labels or milestones of a title that apply in the projects, each looked up in the index. */
function titledIn(from: 'label' | 'milestone', title: unknown, { sql, values }: SqlPiece): SqlPiece {
  const of = (owner: string): string => `select id from ${from}s where title = ? and ${owner}`;
  return {
    sql: `select v.project_id, t.id as ${from}_id from (${sql}) v cross join lateral (
      ${of('project_id = any(array[v.project_id])')} union all ${of('group_id = any((select traversal_ids from namespaces where id = v.namespace_id)::bigint[])')}) t`,
    values: [...values, title, title],
  };
}

/** Tables that `MEMBERS` names. */
function memberTables(userId: number, least: Role): SqlPiece {
  const mine = `mine as materialized (select a.id from (${authorizedSql(least)}) a)`;
  if (least === Role.Guest) return { sql: mine, values: [userId] };
  const met = `met as materialized (select a.id from (${authorizedSql(Role.Guest)}) a)`;
  return { sql: `${mine},\n    ${met}`, values: [userId, userId] };
}
