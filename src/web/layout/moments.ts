import { html, type Html } from '#kernel/html/html.js';

/** Renders the date of a timestamp (UTC) for people and programs; `never` is the text if there is none. */
export function dayOf(moment: Date | string | null, never: string): Html {
  if (moment === null) return html`${never}`;
  const day = typeof moment === 'string' ? moment : moment.toISOString().slice(0, 10);
  return html`<time datetime="${day}">${day}</time>`;
}

/** Formats a timestamp to the second: "2026-11-20 17:30:05 UTC". */
export const momentText = (moment: Date): string =>
  `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Renders a timestamp of a record, to the second. */
export const momentOf = (iso: string): Html =>
  html`<time datetime="${iso}">${momentText(new Date(iso))}</time>`;
