import type { Actor, Caller } from '#kernel/access/caller.js';
import type { Role } from '#kernel/access/roles.js';
import type { ListQuery, ListShape } from '#kernel/database/lists/list-query.js';
import type { MergedListQuery, MergePlan } from '#kernel/database/lists/merged-list-query.js';
import type { SqlPiece } from '#core/projects/lists/readable-projects.js';
import { fewIssuablesFrom, issuableFrom } from '../issuable-columns.sql.js';
import type { IssuableKind } from '../issuable-kind.js';
import type { Tallied } from '../tallies/tally.sql.js';
import type { ListStart, StartFilters } from './list-starts.js';
import type { PersonLink } from './person-plan.js';

/** Parameters for the scope and the order of a list. */
export interface ListFilters extends StartFilters {
  readonly state?: string | undefined;
  readonly non_archived?: boolean | undefined;
  readonly with_labels_details?: boolean | undefined;
  readonly sort?: 'asc' | 'desc' | undefined;
}

/** Parameters that affect presentation and order, but not the content. */
const UNFILTERING: ReadonlySet<string> = new Set([
  'in',
  'non_archived',
  'order_by',
  'sort',
  'view',
  'with_labels_details',
  'with_merge_status_recheck',
]);

/** Returns whether the parameters keep all rows of the start. */
export const isUnfiltered = ({ state = 'all', scope = 'all', ...params }: ListFilters): boolean =>
  state === 'all' &&
  scope === 'all' &&
  Object.entries<unknown>(params).every(([name, value]) => value === undefined || UNFILTERING.has(name));

/** Facts of a kind of issuables that the planner needs. */
export interface PlannedKind<Filters extends ListFilters> {
  readonly kind: IssuableKind;
  readonly tallied: Tallied;
  /** The part of projects to which they belong; also the usage of their numbers. */
  readonly part: 'issues' | 'merge_requests';
  /** Role required to read them in private projects. */
  readonly least: Role;
  /** Whether some are hidden from some readers of their project, so that counts depend on the caller. */
  readonly hidesSome: boolean;
  /** Persons from which lists of a project or group start. */
  readonly personBelow: (actor: Actor | null, params: Filters) => ListStart<Filters, PersonLink> | null;
}

/**
 * Column shapes without and with label details: for columns of only the issuables, also of their projects
 * `p`, or for few rows.
 */
export type ListShapes = Readonly<Record<'project' | 'many' | 'few', readonly [ListShape, ListShape]>>;

/** Returns the shapes of a kind; `columns`: those of its rows. */
export function shapesOf(kind: IssuableKind, columns: (withLabelDetails: boolean) => string): ListShapes {
  const own = `${kind.table} ${kind.alias}`;
  const many = `${own} join projects p on p.id = any(array[${kind.alias}.project_id])`;
  // A count has no order that a join could lose.
  const counted = `${own} join projects p on p.id = ${kind.alias}.project_id`;
  const both = (
    deepFrom: string,
    countFrom = deepFrom,
    from = issuableFrom(kind),
  ): readonly [ListShape, ListShape] => {
    const shape = { kind: kind.type, from, countFrom, deepFrom, key: `${kind.alias}.id` };
    return [
      { ...shape, select: columns(false) },
      { ...shape, select: columns(true) },
    ];
  };
  return {
    project: both(own),
    many: both(many, counted),
    few: both(counted, counted, fewIssuablesFrom(kind)),
  };
}

/** Conditions that hide issuables from callers who may read the project. */
export interface IssuableVisibility {
  readonly inProject: (caller: Caller) => SqlPiece;
  readonly below: (caller: Caller) => SqlPiece;
  readonly anywhere: (actor: Actor | null) => SqlPiece;
}

/** Everything that the lists of a kind need. */
export interface ListedKind<Row extends object, Filters extends ListFilters> extends PlannedKind<Filters> {
  readonly shapes: ListShapes;
  /** By state, an expression over the counter row `c` of a project. */
  readonly counters: Readonly<Record<string, string>>;
  readonly visible: IssuableVisibility;
  /**
   * Select list of counts of what the caller may read; `reports`: condition that the caller is at least
   * Reporter.
   */
  readonly counts: (actor: Actor | null, reports: SqlPiece) => SqlPiece;
  readonly filter: (query: ListQuery<object>, params: Filters, caller: Caller) => void;
  readonly order: (query: ListQuery<object>, params: Filters) => void;
  /** Whether a filter selects so few rows that they are read first and then sorted. */
  readonly isFew: (params: Filters, caller: Caller) => boolean;
  /** The list of a group, if its total is not a sum of tallies. */
  readonly ofGroup?: (
    shape: ListShape,
    plan: MergePlan,
    caller: Caller,
    params: Filters,
  ) => MergedListQuery<Row>;
}
