import { html, type Html } from '#kernel/html/html.js';

/** The variable part of a live item: rendered by the page, and sent to its script. */
export interface LiveItem {
  readonly id: number;
  readonly name: string;
  readonly isMoving: boolean;
  readonly state: string;
  readonly tone: string;
  readonly hasProgress: boolean;
  /** From 0 to 100; null while the total is unknown. */
  readonly percent: number | null;
  readonly amount: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly error: string | null;
  readonly mayRepeat: boolean;
}

/** The constant part of a live item. */
export interface ItemSurroundings {
  readonly name: Html | string;
  readonly facts: Html;
  /** When it was requested, as text with a verb. */
  readonly asked: string;
  /** Form that repeats it. */
  readonly again: Html;
}

/**
 * Renders an item of a list. Every part that can change has a `data-part` and is present from the start, hidden if
 * it does not apply: the script changes texts and creates no markup.
 */
export function liveItem(now: LiveItem, { name, facts, asked, again }: ItemSurroundings): Html {
  return html`<li class="move" data-move="${now.id}" ${now.isMoving && html`data-moving`}>
    <div class="move-head">
      <h3>${name}</h3>
      <span class="badge ${now.tone}" data-part="state">${now.state}</span>
    </div>
    <p class="muted">${facts}</p>
    <p class="progress" ${now.amount === '' && !now.hasProgress && html`hidden`} data-part="progress">
      <progress
        max="100"
        ${now.percent === null ? null : html`value="${now.percent}"`}
        aria-label="Progress of ${now.name}"
        data-part="bar"
        ${!now.hasProgress && html`hidden`}
      ></progress>
      <span data-part="amount">${now.amount}</span>
    </p>
    <p class="error" data-part="error" ${now.error === null && html`hidden`}>${now.error}</p>
    <p class="muted move-times">
      <span>${asked}</span>
      ${moment('Started', 'started', now.started)} ${moment('Ended', 'ended', now.ended)}
    </p>
    <div data-part="again" ${!now.mayRepeat && html`hidden`}>${again}</div>
  </li>`;
}

const moment = (label: string, part: string, text: string | null): Html =>
  html`<span data-part="${part}" ${text === null && html`hidden`}>${label} <span>${text}</span></span>`;
