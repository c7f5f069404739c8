import type { Actor } from '#kernel/access/caller.js';
import { containing } from '#kernel/database/like.sql.js';
import type { ListQuery } from '#kernel/database/lists/list-query.js';
import { wordOf } from './any-or-none.js';
import { namesOf } from '../fields/label-names-field.js';
import type { ExcludedIssuables, IssuableFilters, MilestoneWord } from './issuable-filters.params.js';
import type { IssuableKind } from '../issuable-kind.js';
import { isOfPerson, keepPeople, leavePeople, NAMED_USER } from './people-filters.js';
import { whereAll } from './where-all.js';

const ANY_OR_NONE = ['any', 'none'] as const;

/**
 * Adds the conditions of shared filters, over the alias of the kind. `scope` is used unchanged: lists with
 * another default set it first.
 */
export function applyIssuableFilters(
  query: ListQuery<object>,
  kind: IssuableKind,
  params: IssuableFilters,
  actor: Actor | null,
): void {
  filterByScope(query, kind, params, actor);
  filterByLabels(query, kind, params.labels);
  filterByMilestone(query, kind, params);
  filterByPeople(query, kind, params);
  filterByTexts(query, kind, params);
  filterByTimes(query, kind, params);
  filterByEmoji(query, kind, params.my_reaction_emoji, actor);
  if (params.not) exclude(query, kind, params.not, actor);
}

function filterByScope(
  query: ListQuery<object>,
  kind: IssuableKind,
  { scope = 'all' }: IssuableFilters,
  actor: Actor | null,
): void {
  const id = actor?.id ?? 0;
  if (scope.startsWith('created')) query.where(`${kind.alias}.author_id = ?`, id);
  if (scope.startsWith('assigned')) query.where(isOfPerson(kind, kind.assignees, '?'), id);
}

function filterByLabels(
  query: ListQuery<object>,
  kind: IssuableKind,
  sent: readonly string[] | undefined,
): void {
  const names = namesOf(sent ?? []);
  const word = names.length === 1 ? wordOf(names[0] ?? '', ANY_OR_NONE) : null;
  if (word) query.where(word === 'none' ? lacksLabel(kind, '') : hasLabel(kind, ''));
  else whereAll(query, hasLabel(kind, 'and fl.title = ?'), 'text', names);
}

const labelsOf = ({ labels: { table, key }, alias }: IssuableKind, which: string): string =>
  `from ${table} fk join labels fl on fl.id = fk.label_id where fk.${key} = ${alias}.id ${which}`;

const hasLabel = (kind: IssuableKind, which: string): string => `exists (select 1 ${labelsOf(kind, which)})`;

/** Looked up row by row, in the order of the list: a `not exists` may become a join with the labels of all projects. */
const lacksLabel = (kind: IssuableKind, which: string): string =>
  `coalesce((select false ${labelsOf(kind, which)} limit 1), true)`;

function filterByMilestone(query: ListQuery<object>, kind: IssuableKind, params: IssuableFilters): void {
  const { milestone } = params;
  const word: MilestoneWord | null =
    params.milestone_id ?? (milestone === undefined ? null : wordOf(milestone, ANY_OR_NONE));
  const column = `${kind.alias}.milestone_id`;
  if (word === 'any') query.where(`${column} is not null`);
  else if (word === 'none') query.where(`${column} is null`);
  else if (word) query.where(`exists (${milestoneSql(column, word)})`);
  else if (milestone !== undefined)
    query.where(`exists (select 1 from milestones fm where fm.id = ${column} and fm.title = ?)`, milestone);
}

/**
 * Upcoming: the next active milestone to end in its project or group; started: any active one that has begun.
 */
const milestoneSql = (column: string, word: 'upcoming' | 'started'): string =>
  `select 1 from milestones fm where fm.id = ${column} and fm.state = 'active' and ${
    word === 'started'
      ? 'fm.start_date <= current_date'
      : `fm.due_date > current_date and not exists (select 1 from milestones sooner where sooner.state = 'active'
          and sooner.due_date > current_date and sooner.due_date < fm.due_date
          and (sooner.project_id = fm.project_id or sooner.group_id = fm.group_id))`
  }`;

function filterByPeople(query: ListQuery<object>, kind: IssuableKind, params: IssuableFilters): void {
  const { author_username: author } = params;
  if (params.author_id !== undefined) query.where(`${kind.alias}.author_id = ?`, params.author_id);
  if (author !== undefined) query.where(`${kind.alias}.author_id = ${NAMED_USER}`, author);
  keepPeople(query, kind, kind.assignees, params.assignee_id, params.assignee_username);
}

function filterByTexts(query: ListQuery<object>, { alias }: IssuableKind, params: IssuableFilters): void {
  const { search = '', in: fields = 'title,description' } = params;
  if (search === '') return;
  const columns = ['title', 'description'].filter((column) => fields.includes(column));
  query
    .where(
      `(${columns.map((column) => `${alias}.${column} ilike ?`).join(' or ')})`,
      ...columns.map(() => containing(search)),
    )
    .long();
}

function filterByTimes(query: ListQuery<object>, { alias }: IssuableKind, params: IssuableFilters): void {
  if (params.created_after) query.where(`${alias}.created_at >= ?`, params.created_after);
  if (params.created_before) query.where(`${alias}.created_at <= ?`, params.created_before);
  if (params.updated_after) query.where(`${alias}.updated_at >= ?`, params.updated_after);
  if (params.updated_before) query.where(`${alias}.updated_at <= ?`, params.updated_before);
}

function filterByEmoji(
  query: ListQuery<object>,
  kind: IssuableKind,
  name: string | undefined,
  actor: Actor | null,
): void {
  if (name === undefined || name === '') return;
  const word = wordOf(name, ANY_OR_NONE);
  const id = actor?.id ?? 0;
  if (word === 'none') query.where(`not ${hasEmoji(kind, '')}`, id);
  else if (word) query.where(isAmong(kind, ''), id);
  else query.where(isAmong(kind, 'and fe.name = ?'), id, name);
}

const hasEmoji = ({ type, alias }: IssuableKind, which: string): string =>
  `exists (select 1 from award_emoji fe where fe.awardable_type = '${type}' and fe.awardable_id = ${alias}.id and fe.user_id = ? ${which})`;

const isAmong = ({ type, alias }: IssuableKind, which: string): string =>
  `${alias}.id = any(array(select fe.awardable_id from award_emoji fe where fe.user_id = ? and fe.awardable_type = '${type}' ${which}))`;

function exclude(
  query: ListQuery<object>,
  kind: IssuableKind,
  not: ExcludedIssuables,
  actor: Actor | null,
): void {
  const { alias } = kind;
  whereAll(query, lacksLabel(kind, 'and fl.title = ?'), 'text', namesOf(not.labels ?? []));
  if (not.milestone !== undefined)
    query.where(
      `not exists (select 1 from milestones fm where fm.id = ${alias}.milestone_id and fm.title = ?)`,
      not.milestone,
    );
  if (not.milestone_id)
    query.where(`not exists (${milestoneSql(`${alias}.milestone_id`, not.milestone_id)})`);
  if (not.iids?.length) query.where(`${alias}.iid <> all(?::bigint[])`, not.iids);
  if (not.author_id !== undefined) query.where(`${alias}.author_id is distinct from ?`, not.author_id);
  if (not.author_username !== undefined)
    query.where(`${alias}.author_id is distinct from ${NAMED_USER}`, not.author_username);
  leavePeople(query, kind, kind.assignees, not.assignee_id, not.assignee_username);
  if (not.my_reaction_emoji)
    query.where(`not ${hasEmoji(kind, 'and fe.name = ?')}`, actor?.id ?? 0, not.my_reaction_emoji);
}
