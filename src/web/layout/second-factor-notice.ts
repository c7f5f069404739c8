import { html, type Html } from '#kernel/html/html.js';
import { SECOND_FACTOR_PATH } from '#core/sign-in/first-steps.js';

/**
 * Notice that the instance or a group requires a second factor, with the deadline. It is shown on every page
 * but the one for setting it up.
 */
export function secondFactorNotice(dueAt: Date): Html {
  const time = html`<time datetime="${dueAt.toISOString()}">${dueAt.toUTCString()}</time>`;
  return html`<div class="notice" role="status">
    <p>
      Your account must use two-factor authentication. Please
      <a href="${SECOND_FACTOR_PATH}">set it up</a> before ${time}.
    </p>
  </div>`;
}
