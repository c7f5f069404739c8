import { html, type Html } from '#kernel/html/html.js';
import { form, submit } from '../forms/form.view.js';
import { liveItem } from '../live/live-item.js';
import { momentText } from '../layout/moments.js';
import { KIND_WORDS } from './move-texts.js';
import { MOVES_PATH } from './paths.js';
import { nowOf, type ShownMove } from './shown-move.js';

/** Renders a move of the list. */
export function moveItem(move: ShownMove, csrfToken: string): Html {
  const { kind, id, name, source, destination, ownerId } = move;
  const number = kind === 'snippet' ? ` ${ownerId}` : '';
  const again = { action: `${MOVES_PATH}/${id}/reschedule`, csrfToken };
  return liveItem(nowOf(move), {
    name,
    facts: html`${KIND_WORDS[kind]}${number}, from <code>${source}</code> to <code>${destination}</code>`,
    asked: `Scheduled ${momentText(move.createdAt)}`,
    again: form(again, submit('Reschedule', { look: 'secondary', small: true, of: name })),
  });
}
