import { html, type Html } from '#kernel/html/html.js';

/**
 * Milliseconds for which a page listens although nothing is in progress: a job may be about to start what was
 * just requested.
 */
const PATIENCE_MS = 30_000;

/**
 * Heading of a list of live items, with a link that reloads the list; `newestId` is the id of the newest
 * item.
 */
export const liveHeading = (title: string, id: string, here: string, newestId: number): Html =>
  html`<div class="heading">
    <h2 id="${id}">${title}</h2>
    <div
      class="actions"
      data-live
      data-newest="${newestId}"
      data-until="${new Date(Date.now() + PATIENCE_MS).toISOString()}"
    >
      <p class="muted" role="status" data-part="news"></p>
      <a class="button secondary small" href="${here}">Refresh</a>
    </div>
  </div>`;
