import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import { form, submit } from './form-fields.view.js';

/** A step that is asked about once more, on a page of its own. */
export interface Question {
  /** What will happen, and what cannot be undone. */
  readonly text: Interpolation;
  readonly action: string;
  readonly method: 'put' | 'delete';
  /** Names the thing too: "Remove Robot". */
  readonly button: string;
  /** Where to go instead. */
  readonly back: string;
  readonly csrfToken: string;
}

/** Asks whether to go on: a button that does it, and a way back. */
export function confirmation({ text, action, method, button, back, csrfToken }: Question): Html {
  return html`<div class="card">
    <p>${text}</p>
    <div class="actions">
      ${form({ action, method, csrfToken }, submit(button, { look: 'danger' }))}
      <a class="button secondary" href="${back}">Cancel</a>
    </div>
  </div>`;
}
