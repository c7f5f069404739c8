import { html, type Html } from '#kernel/html/html.js';
import type { Page as ListPage } from '#kernel/http/paging/page.js';
import { ERROR_STATUSES, type TrackedErrorRow } from '#features/error-tracking/errors/error.record.js';
import { dataTable } from '../../layout/data-table.view.js';
import { field, select } from '../../forms/form-fields.view.js';
import { momentOf } from '../../layout/moments.js';
import { pageLinks } from '../../layout/page-links.view.js';
import type { ErrorFilters } from '../error-forms.js';
import { counted, levelBadge, numberText, ORDER_WORDS, SHOWN_ORDERS, STATUS_WORDS } from '../error-texts.js';
import { textOf } from '../events/json-values.js';
import { errorPath, errorsPath, settingsPath } from '../paths.js';
import { sparkline } from './sparkline.view.js';

/** Parameters of the error list view. */
export interface ErrorListView {
  readonly projectId: number;
  readonly rows: readonly TrackedErrorRow[];
  /** Number of events in each of the last 24 hours, by error. */
  readonly hours: ReadonlyMap<number, readonly number[]>;
  readonly list: ListPage;
  readonly filter: ErrorFilters;
  /** Whether error tracking is enabled. */
  readonly isTracking: boolean;
  readonly mayChangeSettings: boolean;
}

const HEADS = ['Error', 'Last 24 hours', 'Events', 'Users', 'Seen'];

/** Renders a page of errors, with the filter above and the pagination below. */
export function errorList(view: ErrorListView): Html {
  const { projectId, rows, hours, list, filter, isTracking, mayChangeSettings } = view;
  const { status, order, search } = filter;
  const path = errorsPath(projectId);
  const cells = rows.map((row) => [
    errorCell(projectId, row),
    hourBars(hours.get(row.id) ?? []),
    numberText(row.events_count),
    numberText(row.users_count),
    html`<p class="whole">Last ${momentOf(row.last_seen_at)}</p>
      <p class="whole muted">First ${momentOf(row.first_seen_at)}</p>`,
  ]);
  const empty = search === '' ? `No ${status} errors.` : 'No errors match this filter.';
  return html`${
    !isTracking &&
    html`<div class="notice">
      <p>
        Error tracking is turned
        off.${mayChangeSettings && html` <a href="${settingsPath(projectId)}">Turn it on</a>`}
      </p>
    </div>`
  }
  ${filterForm(path, filter)} ${dataTable(`${STATUS_WORDS[status]} errors`, HEADS, cells, empty)}
  ${pageLinks(path, list, new URLSearchParams({ status, order, search }))}
  ${mayChangeSettings && html`<p><a href="${settingsPath(projectId)}">Settings and keys</a></p>`}`;
}

function errorCell(projectId: number, row: TrackedErrorRow): Html {
  const actor = textOf(row.actor, 200);
  return html`<div class="tracked">
    <a href="${errorPath(projectId, row.id)}">${textOf(row.name, 200) ?? 'Error'}</a>
    ${levelBadge(row.level)}
    <p>${textOf(row.description, 200)}</p>
    <p class="muted">${[actor, row.environment].filter(Boolean).join(' · ')}</p>
  </div>`;
}

function hourBars(counts: readonly number[]): Html {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return sparkline(
    counts,
    `${counted(total, 'event')} in the last 24 hours, at most ${Math.max(...counts)} an hour`,
  );
}

function filterForm(path: string, { status, order, search }: ErrorFilters): Html {
  return html`<form action="${path}" method="get" class="filter" role="search" aria-label="Errors">
    ${select(
      { label: 'Status', name: 'status', value: status },
      ERROR_STATUSES.map((value) => [value, STATUS_WORDS[value]] as const),
    )}
    ${select(
      { label: 'Order', name: 'order', value: order },
      SHOWN_ORDERS.map((value) => [value, ORDER_WORDS[value]] as const),
    )}
    ${field({ label: 'Name or description', name: 'search', value: search, maxLength: 200 })}
    <button type="submit" class="button secondary">Show</button>
  </form>`;
}
