import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { SIZE_ORDERS, type ListProjectsParams } from './list-projects.params.js';
import { presentProject, presentProjectWithAccess } from '../records/project.presenter.js';
import { presentSimpleProject } from '../records/project-simple.presenter.js';
import { filterProjects, isFiltered, isSelective } from './project-filters.js';
import type { AnyProjectRecord } from '../records/project.record.js';
import {
  FULL_COLUMNS,
  ME,
  PROJECT_FROM,
  SIMPLE_COLUMNS,
  STATISTICS,
  STATISTICS_COLUMNS,
  type ProjectRow,
} from '../project.row.js';
import { countVisible, joinVisible, keepVisible, type MergeColumn } from './visible-projects.js';

/** Scope of a list besides its filters: a query of ids. */
export interface ProjectScope {
  readonly ids: string;
  readonly values: readonly unknown[];
}

/** Options of the records of a list. */
export interface ListOptions {
  readonly scope?: ProjectScope;
  /** Whether records include the caller's roles; default true. */
  readonly withAccess?: boolean;
}

const shape = (select: string, key: string): ListShape => ({
  kind: 'Project',
  select,
  from: PROJECT_FROM,
  countFrom: 'projects p',
  key,
  keysetLink: 'id',
});

/** Column shapes by key; constant texts, so that each becomes one prepared statement. */
const shapes = {
  simple: { 'p.id': shape(SIMPLE_COLUMNS, 'p.id'), 'v.id': shape(SIMPLE_COLUMNS, 'v.id') },
  full: { 'p.id': shape(FULL_COLUMNS, 'p.id'), 'v.id': shape(FULL_COLUMNS, 'v.id') },
  sized: {
    'p.id': shape(`${FULL_COLUMNS}, ${STATISTICS_COLUMNS}`, 'p.id'),
    'v.id': shape(`${FULL_COLUMNS}, ${STATISTICS_COLUMNS}`, 'v.id'),
  },
} as const;

/** Orders that have an index; `created_at` has the same order as the id. */
const mergeColumns = new Map<string, MergeColumn>([
  ['id', 'id'],
  ['created_at', 'id'],
  ['name', 'name'],
  ['path', 'path'],
  ['updated_at', 'updated_at'],
  ['last_activity_at', 'last_activity_at'],
]);

const isSizeOrder = (order: string): boolean => (SIZE_ORDERS as readonly string[]).includes(order);

/** Lists the projects that the caller can see, in one statement with all data of their records. */
@Injectable()
export class ProjectListQueries {
  constructor(
    private readonly links: Links,
    private readonly database: ReadDatabase,
  ) {}

  /** Returns a page of a list. Anonymous callers get public projects in the simple form. */
  async load(
    page: Page,
    params: ListProjectsParams,
    caller: Caller,
    options: ListOptions = {},
  ): Promise<AnyProjectRecord[]> {
    const isSimple = !caller.actor || params.simple === true;
    const rows = await page.load(buildQuery(params, caller, isSimple, options.scope));
    return this.present(rows, caller, isSimple, options.withAccess !== false);
  }

  /** Returns the first projects of a scope by name, for records that embed them. */
  async first(scope: ProjectScope, limit: number, caller: Caller): Promise<AnyProjectRecord[]> {
    const isSimple = !caller.actor;
    const query = buildQuery({ order_by: 'name', sort: 'asc' }, caller, isSimple, scope);
    const { text, values } = query.pageStatement(limit, 0);
    return this.present(await this.database.short<ProjectRow>(text, values), caller, isSimple, false);
  }

  private present(
    rows: readonly ProjectRow[],
    caller: Caller,
    isSimple: boolean,
    withAccess: boolean,
  ): AnyProjectRecord[] {
    if (isSimple) return rows.map((row) => presentSimpleProject(row, this.links));
    const viewer = { admin: caller.actor?.admin === true, tier: caller.tier };
    const present = withAccess ? presentProjectWithAccess : presentProject;
    return rows.map((row) => present(row, viewer, this.links));
  }
}

function buildQuery(
  params: ListProjectsParams,
  { actor }: Caller,
  isSimple: boolean,
  scope?: ProjectScope,
): ListQuery<ProjectRow> {
  const isAdmin = actor?.admin === true;
  const asked = params.order_by ?? 'created_at';
  const order = isSizeOrder(asked) && !isAdmin ? 'created_at' : asked;
  const column = mergeColumns.get(order);
  const merged = actor && !isAdmin && !scope && !isSelective(params) ? column : undefined;
  const columns = isSimple ? 'simple' : params.statistics ? 'sized' : 'full';
  const query = new ListQuery<ProjectRow>(shapes[columns][merged ? 'v.id' : 'p.id']);
  if (actor) query.join(ME, actor.id, isAdmin, !actor.external);
  if (columns === 'sized' || isSizeOrder(order)) query.join(STATISTICS);
  if (actor && merged) {
    joinVisible(query, actor, merged, params.sort ?? 'desc');
    if (!isFiltered(params)) countVisible(query, actor);
  } else keepVisible(query, actor);
  query.where('not p.pending_delete');
  if (scope) query.where(`p.id = any(array(${scope.ids}))`, ...scope.values);
  filterProjects(query, params, actor);
  orderProjects(query, order, params, merged ? 'v' : 'p');
  return query;
}

function orderProjects(
  query: ListQuery<object>,
  order: string,
  params: ListProjectsParams,
  alias: 'p' | 'v',
): void {
  const sort = params.sort ?? 'desc';
  const { key } = query.shape;
  if (isSizeOrder(order)) {
    query.orderByExpression(`coalesce(st.${order}, 0) ${sort}, ${key} ${sort}`);
  } else if (order === 'similarity' && params.search) {
    query.join('cross join (select ?::text as text) term', params.search);
    query.orderByExpression(
      `greatest(similarity(p.name, term.text), similarity(p.path, term.text)) ${sort}, ${key} ${sort}`,
    );
  } else {
    query.orderBy(`${alias}.${mergeColumns.get(order) ?? 'id'}`, sort);
  }
}
