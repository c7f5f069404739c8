import { asset } from './asset.js';
import { LIVE_MOVES } from './live-moves.js';

/**
 * What pages can do without: copying a shown secret, bringing errors into view, sending a form that needs nothing but a click,
 * sending none twice by a double click, and showing the progress of moves as it happens.
 * Everything works without it.
 */
export const SCRIPT = asset(
  'page',
  'js',
  `'use strict';
for (const field of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  const said = document.createElement('span');
  button.type = 'button';
  button.className = 'button secondary';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + (field.dataset.copy || 'the value'));
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    field.select();
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else document.execCommand('copy');
      said.textContent = 'Copied';
    } catch {
      said.textContent = 'Press Ctrl+C to copy';
    }
  });
  field.after(button, said);
}
const errors = document.getElementById('errors');
if (errors) errors.focus();
let sentAt = -Infinity;
document.addEventListener('submit', (event) => {
  if (event.timeStamp - sentAt < 2000) event.preventDefault();
  else sentAt = event.timeStamp;
});
const sending = document.querySelector('form[data-send]');
if (sending) sending.submit();
${LIVE_MOVES}`,
);
