import type { Actor, Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { MergePlan } from '#kernel/database/lists/merged-list-query.js';
import { reachable } from '#core/labels/reach/planning-container.js';
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
  readonly list: Pick<MergePlan, 'from' | 'where' | 'order' | 'id' | 'overlaps'>;
  readonly totals: Totals;
}

const TITLED = {
  label: { table: 'labels', alias: 'l' },
  milestone: { table: 'milestones', alias: 'fm' },
} as const;

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

  /** Plans the list of many projects, by creation, update or id; null for other orders. */
  ofProjects(
    actor: Actor | null,
    projects: SqlPiece,
    params: Filters,
    sees: boolean,
  ): ListPlan<Filters> | null {
    const { order_by: order = 'created_at' } = params;
    if (!INDEXED.has(order)) return null;
    const start = this.start(actor, params);
    if (start) return this.plan(start, sourcesOver(projects, start), sees);
    const { table, alias } = this.listed.kind;
    const by = { from: `${table} ${alias}`, order: `${alias}.${order}`, id: `${alias}.id` };
    // `coalesce` makes the planner hash the subquery: a join would lose the order of the index.
    const walk = { ...by, where: `coalesce(${alias}.project_id in (select s.project_id from s), false)` };
    const one = { ...by, where: `${alias}.project_id = s.project_id` };
    return { plan: { ...one, sources: projects.sql, values: projects.values, walk }, rest: params };
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
  projectsOfGroup(caller: Caller, { non_archived: live }: Filters): SqlPiece {
    const readable = readableBelow(caller, this.listed.part, this.listed.least);
    return {
      sql: `select p.id as project_id, gn.traversal_ids from projects p join namespaces gn on gn.id = p.namespace_id
      where gn.traversal_ids @> array[?::bigint] ${live === false ? '' : 'and not p.archived'} and ${readable.sql}`,
      values: [caller.subject?.id ?? 0, ...readable.values],
    };
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
          where: 'dl.label_id = s.label_id and dl.project_id = s.project_id',
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
          where: `${alias}.milestone_id = s.milestone_id and ${alias}.project_id = s.project_id`,
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
  const { table, alias } = TITLED[from];
  return {
    sql: `select ?::bigint as project_id, ${alias}.id as ${from}_id from ${table} ${alias} where ${alias}.title = ? and ${reachable.project(alias, '?::bigint')}`,
    values: [projectId, value, projectId, projectId],
  };
}

/** Returns the sources over many projects: rows with `project_id` and `traversal_ids`. */
function sourcesOver({ sql, values }: SqlPiece, { from, value }: Start<unknown>): SqlPiece {
  if (from !== 'label' && from !== 'milestone')
    return { sql: `select v.project_id, ?::bigint as user_id from (${sql}) v`, values: [value, ...values] };
  const { table, alias } = TITLED[from];
  return {
    sql: `select v.project_id, ${alias}.id as ${from}_id from (${sql}) v
      join ${table} ${alias} on ${alias}.title = ? and (${alias}.project_id = v.project_id or ${alias}.group_id = any(v.traversal_ids))`,
    values: [...values, value],
  };
}

/** Tables that `MEMBERS` names. */
function memberTables(userId: number, least: Role): SqlPiece {
  const mine = `mine as materialized (select a.id from (${authorizedSql(least)}) a)`;
  if (least === Role.Guest) return { sql: mine, values: [userId] };
  const met = `met as materialized (select a.id from (${authorizedSql(Role.Guest)}) a)`;
  return { sql: `${mine},\n    ${met}`, values: [userId, userId] };
}
