import { html, type Html } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';
import { JOB_STANDINGS, type JobStanding, type ListedJob } from '#kernel/queue/console/job-listing.js';
import { dataTable } from '../layout/data-table.view.js';
import { form, submit } from '../forms/form.view.js';
import { select } from '../forms/form-fields.view.js';
import { momentText } from '../layout/moments.js';
import { pageLinks } from '../layout/page-links.view.js';
import { queryOf, withFilter, type JobFilters } from './job-forms.js';
import { JOBS_PATH } from './paths.js';

const LABELS: Readonly<Record<JobStanding, string>> = {
  waiting: 'Waiting',
  running: 'Running',
  delayed: 'Delayed',
  failed: 'Failed',
};

const HEADS = ['Job', 'Queue', 'State', 'Attempt', 'Payload', 'Error', 'Actions'];

/** Parameters of the job list view. */
export interface ListSurroundings {
  readonly filter: JobFilters;
  readonly queues: readonly string[];
  readonly csrfToken: string;
}

/** Renders a page of jobs, with the filter above and the pagination below. */
export function jobsView(jobs: readonly ListedJob[], page: Page, surroundings: ListSurroundings): Html {
  const { filter, queues, csrfToken } = surroundings;
  const rows = jobs.map((job) => [
    html`${job.name} <span class="whole">${job.id}</span>`,
    html`<code>${job.queue}</code>`,
    html`${LABELS[job.standing]} ${timeOf(job)}`,
    String(job.attempt),
    job.payload === null ? 'Too large to show' : html`<code>${job.payload}</code>`,
    job.error,
    actionsOf(job, filter, csrfToken),
  ]);
  return html`<h2>Jobs</h2>
    ${filterForm(filter, queues)} ${dataTable('Jobs', HEADS, rows, 'No jobs match this filter.')}
    ${pageLinks(JOBS_PATH, page, queryOf(filter))}`;
}

function timeOf({ standing, runAt, runningSeconds, failedAt }: ListedJob): string {
  if (standing === 'running') return `for ${Math.round(runningSeconds ?? 0)} s`;
  if (standing === 'failed') return failedAt ? `at ${momentText(failedAt)}` : '';
  return `${standing === 'waiting' ? 'since' : 'until'} ${momentText(runAt)}`;
}

/** Only failed jobs can be retried. */
function actionsOf(job: ListedJob, filter: JobFilters, csrfToken: string): Html {
  const { id, name, standing, attempt, isDiscardable } = job;
  const of = `${name} ${id}`;
  const isFailed = standing === 'failed';
  const retry = { action: withFilter(filter, `/${id}/retry`), csrfToken };
  const discard = { action: withFilter(filter, `/${id}`), method: 'delete', csrfToken } as const;
  return html`${(isFailed || (standing === 'delayed' && attempt > 0)) && form(retry, submit('Retry', { look: 'secondary', small: true, of }))}
  ${isDiscardable && form(discard, submit('Discard', { look: 'danger', small: true, of }))}`;
}

function filterForm(filter: JobFilters, queues: readonly string[]): Html {
  return html`<form action="${JOBS_PATH}" method="get" class="filter" role="search" aria-label="Jobs">
    ${select({ label: 'State', name: 'state', value: filter.state }, [
      ['', 'Every state'],
      ...JOB_STANDINGS.map((standing) => [standing, LABELS[standing]] as const),
    ])}
    ${select({ label: 'Queue', name: 'queue', value: filter.queue }, [
      ['', 'Every queue'],
      ...queues.map((queue) => [queue, queue] as const),
    ])}
    <button type="submit" class="button secondary">Show</button>
  </form>`;
}
