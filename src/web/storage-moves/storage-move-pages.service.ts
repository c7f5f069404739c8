import { Injectable } from '@nestjs/common';
import { Tier } from '#kernel/access/roles.js';
import { html, type Html } from '#kernel/html/html.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import type { FieldError } from '../forms/form-fields.view.js';
import type { PageContext } from '../page-context.js';
import { newestOf, shownIds, type EventParams } from '../live/events.params.js';
import type { Look } from '../live/live-events.service.js';
import { bulkForm, singleForm } from './form-views.js';
import { BulkForm, MoveFilters, SingleForm } from './move-forms.js';
import { moveList } from './move-list.js';
import { countText, MOVE_KINDS, type MoveKind } from './move-texts.js';
import { nowOf } from './shown-move.js';
import { MovesQueries } from './moves.queries.js';
import { storageTable } from './storage-table.js';
import { StoragesQueries } from './storages.queries.js';

/** Who views which part of the list. */
export interface Viewing {
  readonly page: PageContext;
  readonly list: ListPage;
  readonly tier: Tier;
}

/** State of the page that differs from its initial one. */
export interface Entries {
  readonly filter?: MoveFilters;
  readonly bulk?: BulkForm;
  readonly single?: SingleForm;
  readonly errors?: readonly FieldError[];
  readonly notice?: Html;
}

/** The kinds that a tier allows to be moved: group wikis require the same tier as in the API. */
export const kindsOf = (tier: Tier): readonly MoveKind[] =>
  tier >= Tier.Premium ? MOVE_KINDS : MOVE_KINDS.filter((kind) => kind !== 'group');

/** Builds the storage move page: storages with their contents, forms, and list. */
@Injectable()
export class StorageMovePagesService {
  constructor(
    private readonly moves: MovesQueries,
    private readonly summaries: StoragesQueries,
    private readonly storages: StoragesService,
  ) {}

  /** Renders the page with the entered values and their errors. */
  async show({ page, list, tier }: Viewing, entries: Entries = {}): Promise<PageAnswer> {
    const { filter = new MoveFilters(), errors = [], notice } = entries;
    const kinds = kindsOf(tier);
    const newestId = await this.moves.newestId();
    const [rows, summaries] = await Promise.all([
      list.load(this.moves.list(filter, kinds)),
      this.summaries.summary(),
    ]);
    const { csrfToken } = page;
    const storages = this.storages.names;
    const surroundings = { storages, kinds, errors, csrfToken };
    const forms =
      storages.length < 2
        ? html`<p class="notice">
            There is only one storage. Moves need a second one: see REPOSITORY_STORAGES.
          </p>`
        : html`<div class="columns">
            ${bulkForm(entries.bulk ?? new BulkForm(), surroundings)}
            ${singleForm(entries.single ?? new SingleForm(), surroundings)}
          </div>`;
    const body = html`${notice}
      <p>Repositories are read-only while they move.</p>
      ${storageTable(summaries)}${forms}${moveList(rows, list, { filter, kinds, csrfToken, newestId })}`;
    return page.render('Storage moves', body, { errors, wide: true, isLive: true });
  }

  /** Returns the current state of the moves of an open page. */
  async look(params: EventParams, kinds: readonly MoveKind[]): Promise<Look> {
    const ids = shownIds(params);
    const [moves, { newer, isMoving }] = await Promise.all([
      ids.length === 0 ? [] : this.moves.now(ids, kinds),
      this.moves.activity(newestOf(params), kinds),
    ]);
    const news = `${countText(newer, 'newer move')}. Refresh to see ${newer === 1 ? 'it' : 'them'}.`;
    return { items: moves.map(nowOf), isMoving, news: newer > 0 ? news : null };
  }
}
