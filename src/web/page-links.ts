import { html, type Html } from '#kernel/html/html.js';
import type { Page } from '#kernel/http/paging/page.js';

/** Links to the pages of a list before and after the one that was loaded; nothing where it is the only one. */
export function pageLinks(path: string, { headers, perPage }: Page): Html | null {
  const link = (number: string | undefined, rel: 'prev' | 'next', label: string): Html | null =>
    number ? html`<a href="${path}?page=${number}&amp;per_page=${perPage}" rel="${rel}">${label}</a>` : null;
  const previous = link(headers['X-Prev-Page'], 'prev', 'Previous page');
  const next = link(headers['X-Next-Page'], 'next', 'Next page');
  if (!previous && !next) return null;
  return html`<nav class="actions" aria-label="Pages">${previous}${next}</nav>`;
}
