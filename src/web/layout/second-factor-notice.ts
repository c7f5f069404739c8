import { html, type Html } from '#kernel/html/html.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';

/** Tells somebody on every page, but where they can do it, that this instance or a group asks for a second factor, and by when. */
export function secondFactorNotice(dueAt: Date): Html {
  const time = html`<time datetime="${dueAt.toISOString()}">${dueAt.toUTCString()}</time>`;
  return html`<div class="notice" role="status">
    <p>
      Your account must use two-factor authentication. Please
      <a href="${SECOND_FACTOR_PATH}">set it up</a> before ${time}.
    </p>
  </div>`;
}
