import { html, type Html } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';
import { select } from '../forms/form-fields.view.js';
import { liveHeading } from '../live/live-heading.js';
import { pageLinks } from '../layout/page-links.view.js';
import type { MoveFilters } from './move-forms.js';
import { moveItem } from './move-item.js';
import { KIND_WORDS, MOVE_STATES, STATE_WORDS, type MoveKind } from './move-texts.js';
import { MOVES_PATH } from './paths.js';
import type { ShownMove } from './shown-move.js';

/** Parameters of the move list view. */
export interface ListSurroundings {
  readonly filter: MoveFilters;
  readonly kinds: readonly MoveKind[];
  readonly csrfToken: string;
  /** Id of the newest move. */
  readonly newestId: number;
}

/** Renders a page of moves, with the filter above and the pagination below. */
export function moveList(
  moves: readonly ShownMove[],
  page: Page,
  { filter, kinds, csrfToken, newestId }: ListSurroundings,
): Html {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  const isFiltered = query.size > 0;
  const here = new URLSearchParams(query);
  if (page.number > 1) here.set('page', String(page.number));
  const items = moves.map((move) => moveItem(move, csrfToken));
  return html`<section aria-labelledby="moves-heading">
    ${liveHeading('Moves', 'moves-heading', `${MOVES_PATH}${here.size > 0 ? `?${here.toString()}` : ''}`, newestId)}
    ${filterForm(filter, kinds)}
    ${
      items.length === 0
        ? html`<p class="card muted">
            ${isFiltered ? 'No moves match this filter.' : 'Nothing has been moved yet.'}
          </p>`
        : html`<ol class="moves">
            ${items}
          </ol>`
    }
    ${pageLinks(MOVES_PATH, page, query)}
  </section>`;
}

function filterForm(filter: MoveFilters, kinds: readonly MoveKind[]): Html {
  return html`<form action="${MOVES_PATH}" method="get" class="filter" role="search" aria-label="Moves">
    ${select({ label: 'State', name: 'state', value: filter.state }, [
      ['', 'Every state'],
      ...MOVE_STATES.map((state) => [state, STATE_WORDS[state].label] as const),
    ])}
    ${select({ label: 'Kind', name: 'kind', value: filter.kind }, [
      ['', 'Every kind'],
      ...kinds.map((kind) => [kind, KIND_WORDS[kind]] as const),
    ])}
    <button type="submit" class="button secondary">Show</button>
  </form>`;
}
