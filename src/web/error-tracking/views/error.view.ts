import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import type { ErrorEventRow } from '#features/error-tracking/errors/error-event.record.js';
import type { ErrorStatus, TrackedErrorRow } from '#features/error-tracking/errors/error.record.js';
import { dataTable } from '../../layout/data-table.view.js';
import { form, submit } from '../../forms/form.view.js';
import { factList } from '../../layout/fact-list.view.js';
import { momentOf } from '../../layout/moments.js';
import type { EventNeighbours } from '../error-pages.queries.js';
import { counted, levelBadge, numberText, statusBadge } from '../error-texts.js';
import { textOf } from '../events/json-values.js';
import { errorPath, errorsPath } from '../paths.js';
import { readEvent } from '../events/shown-event.js';
import { sparkline } from './sparkline.view.js';
import { stackTraces } from './trace.view.js';

/** An event with its neighbors. */
export type ShownErrorEvent = ErrorEventRow & EventNeighbours;

/** Parameters of the error view. */
export interface ErrorView {
  readonly projectId: number;
  readonly error: TrackedErrorRow;
  /** Number of events in each of the last 30 days. */
  readonly days: readonly number[];
  /** The event shown; null if all have been deleted. */
  readonly event: ShownErrorEvent | null;
  readonly mayChange: boolean;
  readonly csrfToken: string;
}

/** Renders an error: its details, the actions on it, and one of its events. */
export function errorView(view: ErrorView): Html {
  const { projectId, error, days, event } = view;
  const total = days.reduce((sum, count) => sum + count, 0);
  const facts: (readonly [string, Interpolation])[] = [
    ['Where', textOf(error.actor, 300)],
    ['Events', numberText(error.events_count)],
    ['Users', numberText(error.users_count)],
    ['First seen', momentOf(error.first_seen_at)],
    ['Last seen', momentOf(error.last_seen_at)],
    ['Environment', error.environment],
    ['Release', error.release],
    ['Platform', error.platform],
  ];
  return html`<p>${statusBadge(error.status)} ${levelBadge(error.level)}</p>
    ${error.description !== null && html`<p class="said">${textOf(error.description)}</p>`}
    ${view.mayChange && statusForms(view)}
    <div class="columns">
      ${factList(facts)}
      <figure class="bars">
        ${sparkline(days, `${counted(total, 'event')} in the last 30 days, at most ${Math.max(...days)} a day`)}
        <figcaption class="muted">${counted(total, 'event')} in the last 30 days</figcaption>
      </figure>
    </div>
    ${event ? eventView(projectId, error.id, event) : html`<p class="muted">Its events are no longer stored.</p>`}
    <p><a href="${errorsPath(projectId)}">All errors</a></p>`;
}

const BUTTONS: Readonly<Record<ErrorStatus, readonly (readonly [ErrorStatus, string])[]>> = {
  unresolved: [
    ['resolved', 'Resolve'],
    ['ignored', 'Ignore'],
  ],
  resolved: [['unresolved', 'Reopen']],
  ignored: [
    ['resolved', 'Resolve'],
    ['unresolved', 'Reopen'],
  ],
};

/** Buttons that change the status of the error. */
function statusForms({ projectId, error, csrfToken }: ErrorView): Html {
  const action = errorPath(projectId, error.id);
  return html`<div class="actions">
    ${BUTTONS[error.status].map(([status, label], index) =>
      form(
        { action, method: 'put', csrfToken },
        submit(label, {
          name: 'status',
          value: status,
          ...(index > 0 ? { look: 'secondary' as const } : {}),
        }),
      ),
    )}
  </div>`;
}

function eventView(projectId: number, errorId: number, row: ShownErrorEvent): Html {
  const event = readEvent(row.payload);
  const link = (id: number | null, rel: 'prev' | 'next', label: string): Html | null =>
    id === null
      ? null
      : html`<a href="${errorPath(projectId, errorId)}?event=${id}" rel="${rel}">${label}</a>`;
  const facts: (readonly [string, Interpolation])[] = [
    ['Event', html`<code>${row.event_id}</code>`],
    ['Occurred', momentOf(row.occurred_at)],
    ['Environment', row.environment],
    ['Release', row.release],
    ...event.facts,
  ];
  return html`<section class="card" aria-labelledby="event-heading">
    <div class="heading">
      <h2 id="event-heading">${row.newer === null ? 'Last event' : 'Earlier event'}</h2>
      <nav class="actions" aria-label="Events">
        ${link(row.older, 'prev', 'Older event')}${link(row.newer, 'next', 'Newer event')}
      </nav>
    </div>
    ${event.message !== null && html`<p class="said">${event.message}</p>`} ${stackTraces(event.exceptions)}
    ${factList(facts)} ${event.tags.length > 0 && dataTable('Tags', ['Name', 'Value'], event.tags)}
    ${
      event.breadcrumbs.length > 0 &&
      dataTable(
        'Breadcrumbs, newest first',
        ['Category', 'Level', 'Message'],
        event.breadcrumbs.map(({ category, level, message }) => [category, level, message]),
      )
    }
  </section>`;
}
