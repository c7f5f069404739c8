import { html, type Html } from '#kernel/html/html.js';
import type { QueueStanding } from '#kernel/queue/console/queue-states.js';
import { dataTable } from '../layout/data-table.view.js';
import { form, submit } from '../forms/form.view.js';
import { momentText } from '../layout/moments.js';
import { JOBS_PATH } from './paths.js';

const HEADS = ['Queue', 'Waiting', 'Running', 'Delayed', 'Failed', 'State', 'Actions'];

/** Renders the queues, each with a button to pause or resume it. */
export function queuesView(queues: readonly QueueStanding[], csrfToken: string): Html {
  return dataTable(
    'Queues',
    HEADS,
    queues.map((standing) => cellsOf(standing, csrfToken)),
  );
}

function cellsOf(standing: QueueStanding, csrfToken: string): Html[] {
  const { queue, waiting, oldestSeconds, running, delayed, failed, pausedAt, isKnown } = standing;
  const oldest = waiting > 0 ? `, the oldest for ${Math.round(oldestSeconds)} s` : '';
  const [act, label] = pausedAt ? ['resume', 'Resume'] : ['pause', 'Pause'];
  const action = `${JOBS_PATH}/queues/${encodeURIComponent(queue)}/${act}`;
  const link = (state: string, count: number): Html =>
    count === 0
      ? html`0`
      : html`<a href="${JOBS_PATH}?${new URLSearchParams({ state, queue }).toString()}">${count}</a>`;
  return [
    html`<code>${queue}</code>`,
    html`${link('waiting', waiting)}${oldest}`,
    link('running', running),
    link('delayed', delayed),
    link('failed', failed),
    pausedAt
      ? html`<span class="badge bad">Paused</span> since ${momentText(pausedAt)}`
      : html`${isKnown ? 'Open' : 'Unknown to this version'}`,
    html`${isKnown && form({ action, csrfToken }, submit(label, { look: 'secondary', small: true, of: queue }))}`,
  ];
}
