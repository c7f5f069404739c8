import { html, type Html } from '#kernel/html/html.js';

/** Where second factors are set up. */
export const SECOND_FACTOR_PATH = '/-/profile/two_factor_auth';

/** Tells somebody on every page that this instance asks for a second factor, and until when; `path` is where they are. */
export function secondFactorNotice(dueAt: Date, path: string): Html {
  const time = html`<time datetime="${dueAt.toISOString()}">${dueAt.toUTCString()}</time>`;
  const isDue = dueAt.getTime() <= Date.now();
  const link = path !== SECOND_FACTOR_PATH && html`<a href="${SECOND_FACTOR_PATH}">Set it up now</a>`;
  return html`<div class="notice" role="status">
    <p>
      ${
        isDue
          ? 'You must set up two-factor authentication before you can go on.'
          : html`Everybody here must use two-factor authentication. Please set it up before ${time}.`
      }
      ${link}
    </p>
  </div>`;
}
