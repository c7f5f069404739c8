import type { ListQuery } from '#kernel/database/lists/list-query.js';
import type { AnyOrNone } from './any-or-none.js';
import type { IssuableKind, PeopleTable } from '../issuable-kind.js';
import { whereAll } from './where-all.js';

/** SQL expression: id of the user with the name in the next value. */
export const NAMED_USER = '(select fu.id from users fu where lower(fu.username) = lower(?))';

const hasPerson = ({ alias }: IssuableKind, people: PeopleTable | null, which = ''): string =>
  people ? `exists (select 1 from ${people.table} fa where fa.${people.key} = ${alias}.id${which})` : 'false';

/** Starts from the user's rows in all projects: a subquery would be evaluated for each row in list order. */
export const isOfPerson = ({ alias }: IssuableKind, people: PeopleTable | null, user: string): string =>
  people
    ? `${alias}.id = any(array(select fa.${people.key} from ${people.table} fa where fa.user_id = ${user}))`
    : 'false';

/** Keeps issuables that have the user with an id, any or none, and all users with some names. */
export function keepPeople(
  query: ListQuery<object>,
  kind: IssuableKind,
  people: PeopleTable | null,
  id: number | AnyOrNone | undefined,
  names: readonly string[] = [],
): void {
  if (id === 'any') query.where(hasPerson(kind, people));
  else if (id === 'none') query.where(`not ${hasPerson(kind, people)}`);
  else if (id !== undefined) query.where(isOfPerson(kind, people, '?'), id);
  whereAll(query, isOfPerson(kind, people, NAMED_USER), 'text', names);
}

/** Excludes issuables that have the user with an id, or any of some names. */
export function leavePeople(
  query: ListQuery<object>,
  kind: IssuableKind,
  people: PeopleTable | null,
  id: number | undefined,
  names: readonly string[] = [],
): void {
  if (id !== undefined) query.where(`not ${hasPerson(kind, people, ' and fa.user_id = ?')}`, id);
  whereAll(query, `not ${hasPerson(kind, people, ` and fa.user_id = ${NAMED_USER}`)}`, 'text', names);
}
