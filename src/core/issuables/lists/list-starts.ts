import type { Actor } from '#kernel/access/caller.js';
import { wordOf, type AnyOrNone } from './any-or-none.js';
import { namesOf } from '../fields/label-names-field.js';
import type { PersonLink } from './person-plan.js';

/** The filters from which a list by creation can start. */
export interface StartFilters {
  readonly order_by?: string | undefined;
  readonly scope?: string | undefined;
  readonly author_id?: number | undefined;
  readonly assignee_id?: number | AnyOrNone | undefined;
  readonly reviewer_id?: number | AnyOrNone | undefined;
  readonly labels?: string[] | undefined;
  readonly milestone?: string | undefined;
}

/** Somebody whom a list is about, and the filters that are left to apply. */
export interface PersonStart<Filters> {
  readonly link: PersonLink;
  readonly id: number;
  readonly rest: Filters;
}

/** The label or milestone of which a list shows the things, and the filters that are left to apply. */
export interface TitleStart<Filters> {
  readonly title: string;
  readonly rest: Filters;
}

const LINKS = { created: 'author', assigned: 'assignee', reviews: 'reviewer' } as const;

const isByCreation = ({ order_by: order = 'created_at' }: StartFilters): boolean => order === 'created_at';

/** The filters but for one; `left` is what is left of it. */
export const without = <Filters extends StartFilters>(
  params: Filters,
  name: keyof StartFilters,
  left?: unknown,
): Filters =>
  Object.assign(Object.create(Object.getPrototypeOf(params) as object | null) as Filters, params, {
    [name]: left,
  });

/** The person whom a list by creation is about, taken out of the filters; null where it is about nobody or has another order. */
export function personOf<Filters extends StartFilters>(
  actor: Actor | null,
  params: Filters,
): PersonStart<Filters> | null {
  const { scope = 'all', author_id: author, assignee_id: assignee, reviewer_id: reviewer } = params;
  if (!isByCreation(params)) return null;
  if (scope !== 'all') {
    const kind = scope.split(/[_-]/, 1)[0] as keyof typeof LINKS;
    return actor && { link: LINKS[kind], id: actor.id, rest: without(params, 'scope') };
  }
  if (typeof reviewer === 'number')
    return { link: 'reviewer', id: reviewer, rest: without(params, 'reviewer_id') };
  if (typeof assignee === 'number')
    return { link: 'assignee', id: assignee, rest: without(params, 'assignee_id') };
  return author === undefined ? null : { link: 'author', id: author, rest: without(params, 'author_id') };
}

/** The label that a list by creation starts from, taken out of the others; null where it starts from none. */
export function labelOf<Filters extends StartFilters>(params: Filters): TitleStart<Filters> | null {
  const [title, ...others] = namesOf(params.labels ?? []);
  const isWord = others.length === 0 && wordOf(title ?? '', ['any', 'none']) !== null;
  if (title === undefined || isWord || !isByCreation(params)) return null;
  return { title, rest: without(params, 'labels', others.length > 0 ? others : undefined) };
}

/** The milestone that a list by creation starts from, taken out of the filters; null where it starts from none. */
export function milestoneOf<Filters extends StartFilters>(params: Filters): TitleStart<Filters> | null {
  const { milestone: title } = params;
  if (title === undefined || wordOf(title, ['any', 'none']) !== null || !isByCreation(params)) return null;
  return { title, rest: without(params, 'milestone') };
}
