import { html, type Html } from '#kernel/html/html.js';

/** The day of a moment (UTC), readable for people and programs; `never` is what to say where there is none. */
export function dayOf(moment: Date | string | null, never: string): Html {
  if (moment === null) return html`${never}`;
  const day = typeof moment === 'string' ? moment : moment.toISOString().slice(0, 10);
  return html`<time datetime="${day}">${day}</time>`;
}

/** A moment to the second: "2026-11-20 17:30:05 UTC". */
export const momentText = (moment: Date): string =>
  `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
