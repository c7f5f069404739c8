import { Injectable } from '@nestjs/common';
import type { Caller, ProjectCaller, GroupCaller, Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { MergedListQuery } from '#kernel/database/lists/merged-list-query.js';
import { runWithNext } from '#kernel/database/statements/prepared.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { fewIssuablesFrom } from '#core/issuables/issuable-columns.sql.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { startsFromFew } from '#core/issuables/lists/starts-from-few.js';
import { numbered } from '#core/notes/note-origins.service.js';
import {
  readableProjects,
  reportsBelow,
  reportsIn,
  type SqlPiece,
} from '#core/projects/lists/readable-projects.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { planOfGroup, planOfProject, projectsOfGroup, withTotal } from './lists/issue-list-plans.js';
import { issueCounts } from './issue-counts.js';
import { counterOf, GroupIssues, sumOfCounters } from './lists/group-issues.js';
import { filterIssues, orderIssues } from './lists/issue-filters.js';
import { ISSUE_COLUMNS, ISSUE_FROM, issueColumns, type IssueRow } from './issue.record.js';
import { visibleBelow, visibleInProject, visibleThoughConfidential } from './lists/issue-visibility.js';
import type { ListIssuesParams } from './lists/list-issues.params.js';
import { planOfPersonsIssues } from './lists/person-issues.js';

const shape = (
  select: string,
  deepFrom: string,
  countFrom = deepFrom,
  from: string = ISSUE_FROM,
): ListShape => ({
  kind: 'Issue',
  select,
  from,
  countFrom,
  deepFrom,
  key: 'i.id',
});

const OF_PROJECT = 'issues i';
const OF_MANY = 'issues i join projects p on p.id = any(array[i.project_id])';
/** What is counted has no order that a join could lose. */
const COUNT_OF_MANY = 'issues i join projects p on p.id = i.project_id';

const few = (select: string): ListShape =>
  shape(select, COUNT_OF_MANY, COUNT_OF_MANY, fewIssuablesFrom(ISSUE));

/** By the tables of the filters and whether labels come with details. */
const SHAPES = {
  project: [shape(issueColumns(), OF_PROJECT), shape(issueColumns(true), OF_PROJECT)],
  many: [shape(issueColumns(), OF_MANY, COUNT_OF_MANY), shape(issueColumns(true), OF_MANY, COUNT_OF_MANY)],
  few: [few(issueColumns()), few(issueColumns(true))],
} as const;

const shapeOf = (of: keyof typeof SHAPES, { with_labels_details: details }: ListIssuesParams): ListShape =>
  SHAPES[of][details ? 1 : 0];

const COUNTER_ROW = `from internal_ids c where c.project_id = ? and c.usage = 'issues'`;

const ONE = `${ISSUE_COLUMNS}, ${subscribedSql('Issue', 'i.id', '$1::bigint')} as subscribed`;

const BY_ID = `from ${ISSUE_FROM} where i.id = $2`;

const IN_PROJECT = `from ${ISSUE_FROM} where i.project_id = $2 and i.iid = $3`;

function oneOf(from: string, named: readonly number[], actor: Actor | null): [string, unknown[]] {
  const given = [actor?.id ?? null, ...named];
  const { sql, values } = numbered(issueCounts(actor), given.length);
  return [`select ${ONE}, ${sql} ${from}`, [...given, ...values]];
}

/** Nobody has talked about it or closed it yet, and its author hears of it. */
const CREATED = `select ${ISSUE_COLUMNS}, true as subscribed, 0 as user_notes_count, 0 as merge_requests_count from ${ISSUE_FROM} where i.id = $1`;

/** Reading issues. */
@Injectable()
export class IssuesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Issues of the caller's project; with a milestone only those that it is set for. */
  ofProject(caller: ProjectCaller, params: ListIssuesParams, milestoneId?: number): ListQuery<IssueRow> {
    const { id } = caller.subject;
    const { sort = 'desc' } = params;
    const visible = visibleInProject(caller.actor, caller.role);
    const planned = planOfProject(id, params);
    const sees = visible.sql === 'true' && milestoneId === undefined;
    const query = planned
      ? new MergedListQuery<IssueRow>(shapeOf('project', params), withTotal(planned, sees), sort)
      : new ListQuery<IssueRow>(shapeOf('project', params)).where('i.project_id = ?', id);
    if (visible.sql !== 'true') query.where(visible.sql, ...visible.values);
    if (milestoneId !== undefined) query.where('i.milestone_id = ?', milestoneId);
    const rest = planned?.rest ?? params;
    this.complete(query, caller, rest, reportsBelow(caller));
    const counter = sees ? counterOf(params) : null;
    return counter === null ? query : query.totalWithRows(`select ${counter} ${COUNTER_ROW}`, id);
  }

  /** Issues of the projects in the caller's group and in the groups below it; with a milestone only those that it is set for. */
  ofGroup(caller: GroupCaller, params: ListIssuesParams, milestoneId?: number): ListQuery<IssueRow> {
    const { id } = caller.subject;
    // The issues of a milestone are few, and have an index of their own.
    const planned = milestoneId === undefined ? planOfGroup(caller, id, params) : null;
    if (planned) {
      const sees = caller.role >= Role.Reporter;
      const counter = sees ? counterOf(params) : null;
      const plan =
        counter === null ? withTotal(planned, sees) : { ...planned.plan, total: sumOfCounters(counter) };
      const query = new GroupIssues(shapeOf('project', params), plan, caller, params);
      return this.ofMany(query, visibleBelow(caller), caller, planned.rest, reportsBelow(caller));
    }
    const projects = projectsOfGroup(caller, id, params);
    const query = new ListQuery<IssueRow>(shapeOf('project', params)).where(
      `i.project_id in (select v.project_id from (${projects.sql}) v)`,
      ...projects.values,
    );
    if (milestoneId !== undefined) query.where('i.milestone_id = ?', milestoneId);
    return this.ofMany(query, visibleBelow(caller), caller, params, reportsBelow(caller));
  }

  /** Issues of all projects that the caller can see. */
  all(caller: Caller, params: ListIssuesParams): ListQuery<IssueRow> {
    const person = planOfPersonsIssues(caller.actor, params);
    if (person) {
      const { plan, rest, isSelf } = person;
      const query = new MergedListQuery<IssueRow>(shapeOf('project', params), plan, params.sort ?? 'desc');
      return this.ofMany(query, isSelf ? null : visibleThoughConfidential(caller.actor), caller, rest);
    }
    const readable = readableProjects(caller.actor, 'issues', Role.Guest);
    const size = startsFromFew(params) ? 'few' : 'many';
    const query = new ListQuery<IssueRow>(shapeOf(size, params)).where(readable.sql, ...readable.values);
    if (params.non_archived !== false) query.where('not p.archived');
    return this.ofMany(query, visibleThoughConfidential(caller.actor), caller, params);
  }

  /** One issue by its number in a project; whether `actor` may read it has been asked before. @throws 404 */
  async find(projectId: number, iid: number, actor: Actor | null): Promise<IssueRow> {
    return this.one(IN_PROJECT, [projectId, iid], actor);
  }

  /** An issue that `tx` has made, as its author reads it: asked for with whatever `tx` runs next, its commit at the latest. */
  created(tx: Tx, id: number): Promise<() => Promise<IssueRow>> {
    return this.withNext(tx, CREATED, [id]);
  }

  /** The same of one that `tx` has changed, as `actor` reads it. */
  written(tx: Tx, id: number, actor: Actor): Promise<() => Promise<IssueRow>> {
    return this.withNext(tx, ...oneOf(BY_ID, [id], actor));
  }

  /** One issue by its id. @throws 404 */
  async findById(id: number, actor: Actor | null): Promise<IssueRow> {
    return this.one(BY_ID, [id], actor);
  }

  private async one(from: string, named: readonly number[], actor: Actor | null): Promise<IssueRow> {
    const row = await this.database.one<IssueRow>(...oneOf(from, named, actor));
    if (!row) throw notFound('Issue');
    return row;
  }

  private async withNext(tx: Tx, text: string, values: unknown[]): Promise<() => Promise<IssueRow>> {
    const rows = await runWithNext<IssueRow>(tx, text, values);
    return async () => {
      const [row] = await rows();
      if (!row) throw notFound('Issue');
      return row;
    };
  }

  private ofMany(
    query: ListQuery<IssueRow>,
    visible: SqlPiece | null,
    caller: Caller,
    params: ListIssuesParams,
    reports = reportsIn(caller.actor),
  ): ListQuery<IssueRow> {
    if (visible && visible.sql !== 'true') query.where(visible.sql, ...visible.values);
    this.complete(query, caller, params, reports);
    return query;
  }

  private complete(
    query: ListQuery<IssueRow>,
    caller: Caller,
    params: ListIssuesParams,
    reports: SqlPiece,
  ): void {
    const counts = issueCounts(caller.actor, reports);
    query.show(counts.sql, ...counts.values);
    filterIssues(query, params, caller);
    orderIssues(query, params);
  }
}
