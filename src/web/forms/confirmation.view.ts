import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import { form, submit } from './form.view.js';

/** An action that needs confirmation on a separate page. */
export interface Question {
  /** What will happen, and what cannot be undone. */
  readonly text: Interpolation;
  readonly action: string;
  readonly method: 'put' | 'delete';
  /** Label of the button, naming the object too: "Remove Robot". */
  readonly button: string;
  /** Path to return to instead. */
  readonly back: string;
  readonly csrfToken: string;
}

/** Renders a confirmation: a button that performs the action, and a link back. */
export function confirmation({ text, action, method, button, back, csrfToken }: Question): Html {
  return html`<div class="card">
    <p>${text}</p>
    <div class="actions">
      ${form({ action, method, csrfToken }, submit(button, { look: 'danger' }))}
      <a class="button secondary" href="${back}">Cancel</a>
    </div>
  </div>`;
}
