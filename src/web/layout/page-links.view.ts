import { html, type Html } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';

/**
 * Renders links to the previous and next page of a list, keeping `filter`; nothing if there is only one page. The last page
 * that offsets reach says so: users cannot continue by keyset, as clients of the API do.
 */
export function pageLinks(path: string, list: Page, filter?: URLSearchParams): Html | null {
  const { headers, perPage } = list;
  const link = (number: string | undefined, rel: 'prev' | 'next', label: string): Html | null => {
    if (!number) return null;
    const query = new URLSearchParams([...(filter ?? []), ['page', number], ['per_page', String(perPage)]]);
    return html`<a href="${path}?${query.toString()}" rel="${rel}">${label}</a>`;
  };
  const previous = link(headers['X-Prev-Page'], 'prev', 'Previous page');
  const number = headers['X-Next-Page'];
  const next =
    number && !list.mayShow(Number(number))
      ? html`<span class="muted">What follows is not shown</span>`
      : link(number, 'next', 'Next page');
  if (!previous && !next) return null;
  return html`<nav class="actions" aria-label="Pages">${previous}${next}</nav>`;
}
