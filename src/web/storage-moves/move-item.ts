import { html, type Html } from '#kernel/html/html.js';
import { form, submit } from '../forms.js';
import { momentText } from '../moments.js';
import { KIND_WORDS } from './move-words.js';
import { MOVES_PATH } from './paths.js';
import { nowOf, type ShownMove } from './shown-move.js';

/**
 * One move of the list. Whatever can change while it is looked at has a `data-part`, and is there from the start, hidden where it
 * does not apply: the script changes texts, and makes no markup.
 */
export function moveItem(move: ShownMove, csrfToken: string): Html {
  const { kind, id, name, source, destination, ownerId } = move;
  const now = nowOf(move);
  const again = { action: `${MOVES_PATH}/${id}/reschedule`, csrfToken };
  const number = kind === 'snippet' ? ` ${ownerId}` : '';
  return html`<li class="move" data-move="${id}" ${now.isMoving && html`data-moving`}>
    <div class="move-head">
      <h3>${name}</h3>
      <span class="badge ${now.tone}" data-part="state">${now.state}</span>
    </div>
    <p class="muted">
      ${KIND_WORDS[kind]}${number}, from <code>${source}</code> to <code>${destination}</code>
    </p>
    <p class="progress" ${now.amount === '' && !now.hasProgress && html`hidden`} data-part="progress">
      <progress
        max="100"
        ${now.percent === null ? null : html`value="${now.percent}"`}
        aria-label="Progress of ${name}"
        data-part="bar"
        ${!now.hasProgress && html`hidden`}
      ></progress>
      <span data-part="amount">${now.amount}</span>
    </p>
    <p class="error" data-part="error" ${now.error === null && html`hidden`}>${now.error}</p>
    <p class="muted move-times">
      <span>Scheduled ${momentText(move.createdAt)}</span>
      ${moment('Started', 'started', now.started)} ${moment('Ended', 'ended', now.ended)}
    </p>
    <div data-part="again" ${!now.mayRepeat && html`hidden`}>
      ${form(again, submit('Reschedule', { look: 'secondary', small: true, of: name }))}
    </div>
  </li>`;
}

const moment = (label: string, part: string, text: string | null): Html =>
  html`<span data-part="${part}" ${text === null && html`hidden`}>${label} <span>${text}</span></span>`;
