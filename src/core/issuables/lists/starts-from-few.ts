import { wordOf } from './any-or-none.js';
import type { IssuableFilters } from './issuable-filters.params.js';

/**
 * Returns whether a filter selects specific issuables, such as those assigned to a user. They are read first
 * and then sorted: a join that keeps the order of an index would compare each of them with each project.
 */
export function startsFromFew({
  scope,
  assignee_id: id,
  assignee_username: names,
  my_reaction_emoji: emoji,
}: Pick<IssuableFilters, 'assignee_id' | 'assignee_username' | 'my_reaction_emoji'> & {
  readonly scope?: string | undefined;
}): boolean {
  return (
    scope?.startsWith('assigned') === true ||
    typeof id === 'number' ||
    (names !== undefined && names.length > 0) ||
    (emoji !== undefined && emoji !== '' && wordOf(emoji, ['none']) === null)
  );
}
