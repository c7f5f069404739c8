import { asset } from './asset.js';
import { LIVE_MOVES } from './live-moves.js';

/**
 * Optional enhancements of the pages: copying a shown secret, scrolling to errors, submitting a form that
 * needs only a click, preventing double submits, and showing the progress of moves live. Everything works
 * without the script.
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
