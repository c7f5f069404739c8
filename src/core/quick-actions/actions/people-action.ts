import type { Tx } from '#kernel/database/transactions.js';
import { MAX_NAMES, userNamesIn } from '../parsing/name-lists.js';
import {
  assertMay,
  lastOf,
  nameOf,
  shown,
  type AttributeAction,
  type CommandTargetState,
} from '../quick-action.js';

interface KnownUser {
  readonly id: number;
  readonly username: string;
}

const FIND = `select u.id, u.username from users u where lower(u.username) = any($1::text[]) or u.id = any($2::bigint[]) order by u.id`;

/** Users that the actions change, with the words for them. */
interface PeopleWords {
  readonly kind: 'assignees' | 'reviewers';
  readonly param: 'assignee_ids' | 'reviewer_ids';
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly replace: readonly string[];
  readonly of: (now: CommandTargetState) => readonly number[];
  readonly added: (names: string) => string;
  readonly removed: (names: string) => string;
  readonly refused: (names: string, noteable: string) => string;
}

function peopleAction(words: PeopleWords): AttributeAction {
  return {
    when: 'attributes',
    kind: words.kind,
    names: [...words.add, ...words.remove, ...words.replace],
    async apply({ tx, caller, target }, uses) {
      assertMay(target.mayPlan, lastOf(uses));
      const { id: ownId, username: ownName } = caller.actor;
      const own = ownName.toLowerCase();
      const seen = new Set<string>();
      const named = uses.map(({ name, argument }) => ({
        name,
        isAll: argument === '',
        names: userNamesIn(argument)
          .map((one) => (one === 'me' ? own : one))
          .filter((one) => seen.has(one) || (seen.size < MAX_NAMES && seen.add(one))),
      }));
      const before = words.of(await target.now());
      const users = await usersOf(tx, [...seen], [ownId, ...before]);
      const wanted = wantedIds(words, before, named, users.ids);
      const isSame = wanted.length === before.length && wanted.every((id) => before.includes(id));
      if (!isSame) await target.change({ [words.param]: wanted });
      const after = words.of(await target.now());
      const namesOf = (ids: readonly number[]): string => users.shown(ids);
      const [added, removed] = [difference(after, before), difference(before, after)];
      const refused = difference(wanted, after);
      const missing = [...seen].filter((name) => !users.ids.has(name)).map((name) => `@${name}`);
      const said = [
        ...(added.length > 0 ? [words.added(namesOf(added))] : []),
        ...(removed.length > 0 ? [words.removed(namesOf(removed))] : []),
        ...(refused.length > 0 ? [words.refused(namesOf(refused), nameOf(target.type))] : []),
        ...(missing.length > 0 ? [`Could not find ${shown(missing.join(', '))}.`] : []),
      ];
      return {
        changes: added.length + removed.length > 0 ? { [words.param]: after } : {},
        said: said.length > 0 ? said : [`The ${words.kind} are already set.`],
      };
    },
  };
}

/** Newly named users come before present ones, because some plans keep only the first. */
function wantedIds(
  { add, remove }: PeopleWords,
  before: readonly number[],
  uses: readonly { readonly name: string; readonly names: readonly string[]; readonly isAll: boolean }[],
  idOf: ReadonlyMap<string, number>,
): number[] {
  let ids = [...before];
  for (const { name, names, isAll } of uses) {
    const named = [...new Set(names.flatMap((one) => idOf.get(one) ?? []))];
    if (add.includes(name)) ids = [...named, ...difference(ids, named)];
    else if (!remove.includes(name)) ids = named.length > 0 ? named : ids;
    else ids = isAll ? [] : difference(ids, named);
  }
  return ids;
}

async function usersOf(
  tx: Tx,
  names: readonly string[],
  ids: readonly number[],
): Promise<{ ids: ReadonlyMap<string, number>; shown: (ids: readonly number[]) => string }> {
  const rows = await tx.query<KnownUser[]>(FIND, [names, ids]);
  const byId = new Map(rows.map(({ id, username }) => [id, `@${username}`]));
  return {
    ids: new Map(rows.map(({ id, username }) => [username.toLowerCase(), id])),
    shown: (wanted) => shown(wanted.flatMap((id) => byId.get(id) ?? []).join(', ')),
  };
}

function difference(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** `/assign`, `/unassign` and `/reassign`; each applies to the result of the previous one. */
export const assigneesAction = peopleAction({
  kind: 'assignees',
  param: 'assignee_ids',
  add: ['assign'],
  remove: ['unassign'],
  replace: ['reassign'],
  of: ({ assigneeIds }) => assigneeIds,
  added: (names) => `Assigned ${names}.`,
  removed: (names) => `Unassigned ${names}.`,
  refused: (names, noteable) => `Could not assign ${names} to this ${noteable}.`,
});

/** The same actions for reviewers. */
export const reviewersAction = peopleAction({
  kind: 'reviewers',
  param: 'reviewer_ids',
  add: ['assign_reviewer', 'reviewer', 'request_review'],
  remove: ['unassign_reviewer', 'remove_reviewer'],
  replace: ['reassign_reviewer'],
  of: ({ reviewerIds }) => reviewerIds,
  added: (names) => `Requested a review from ${names}.`,
  removed: (names) => `Removed the review request for ${names}.`,
  refused: (names, noteable) => `Could not request a review of this ${noteable} from ${names}.`,
});
