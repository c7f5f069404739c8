import type { Actor } from '#kernel/access/caller.js';
import { wordOf, type AnyOrNone } from './any-or-none.js';
import { namesOf } from '../fields/label-names-field.js';
import type { PersonLink } from './person-plan.js';

/** Filters from which a list by creation can start. */
export interface StartFilters {
  readonly order_by?: string | undefined;
  readonly scope?: string | undefined;
  readonly author_id?: number | undefined;
  readonly assignee_id?: number | AnyOrNone | undefined;
  readonly reviewer_id?: number | AnyOrNone | undefined;
  readonly labels?: string[] | undefined;
  readonly milestone?: string | undefined;
}

/** Start of a list: a person, or the title of a label or milestone; with the remaining filters. */
export interface ListStart<Filters, From extends PersonLink | 'label' | 'milestone'> {
  readonly from: From;
  readonly value: From extends PersonLink ? number : string;
  readonly rest: Filters;
}

const LINKS = { created: 'author', assigned: 'assignee', reviews: 'reviewer' } as const;

const isByCreation = ({ order_by: order = 'created_at' }: StartFilters): boolean => order === 'created_at';

/** Returns the filters without one of them; `left`: what remains of it. */
const without = <Filters extends StartFilters>(
  params: Filters,
  name: keyof StartFilters,
  left?: unknown,
): Filters =>
  Object.assign(Object.create(Object.getPrototypeOf(params) as object | null) as Filters, params, {
    [name]: left,
  });

/** Removes the person from the filters of a list by creation; null if there is none, or another order. */
export function personOf<Filters extends StartFilters>(
  actor: Actor | null,
  params: Filters,
): ListStart<Filters, PersonLink> | null {
  const { scope = 'all', author_id: author, reviewer_id: reviewer } = params;
  if (!isByCreation(params)) return null;
  if (scope !== 'all') {
    const kind = scope.split(/[_-]/, 1)[0] as keyof typeof LINKS;
    return actor && { from: LINKS[kind], value: actor.id, rest: without(params, 'scope') };
  }
  if (typeof reviewer === 'number')
    return { from: 'reviewer', value: reviewer, rest: without(params, 'reviewer_id') };
  const assignee = assigneeOf(actor, params);
  if (assignee) return assignee;
  return author === undefined ? null : { from: 'author', value: author, rest: without(params, 'author_id') };
}

/** Does the same only for assignees. */
export function assigneeOf<Filters extends StartFilters>(
  _actor: Actor | null,
  params: Filters,
): ListStart<Filters, PersonLink> | null {
  const { assignee_id: value } = params;
  if (typeof value !== 'number' || !isByCreation(params)) return null;
  return { from: 'assignee', value, rest: without(params, 'assignee_id') };
}

/**
 * Removes the label, else the milestone, from which a list by creation starts from the filters; null if there
 * is none.
 */
export function titleOf<Filters extends StartFilters>(
  params: Filters,
): ListStart<Filters, 'label' | 'milestone'> | null {
  if (!isByCreation(params)) return null;
  const [label, ...others] = namesOf(params.labels ?? []);
  const isWord = others.length === 0 && isAnyOrNone(label);
  if (label !== undefined && !isWord)
    return {
      from: 'label',
      value: label,
      rest: without(params, 'labels', others.length > 0 ? others : undefined),
    };
  const { milestone: value } = params;
  if (value === undefined || isAnyOrNone(value)) return null;
  return { from: 'milestone', value, rest: without(params, 'milestone') };
}

const isAnyOrNone = (title = ''): boolean => wordOf(title, ['any', 'none']) !== null;
