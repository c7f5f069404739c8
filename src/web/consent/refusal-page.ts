import { html, type Html } from '#kernel/html/html.js';
import type { Refusal } from '#features/oauth/authorization/refusal.js';
import type { Hindrance } from '#features/oauth/authorization/checks/visitor-hindrance.js';

/** Shows the visitor the error of a request that may not be reported to a client. */
export const refusalPage = ({ error, description }: Refusal): Html =>
  html`<div class="card">
    <p>${description}</p>
    <p>
      ${
        error === 'access_denied'
          ? 'You can close this page.'
          : 'If an application sent you here, please tell its developers.'
      }
    </p>
    <p class="muted">Error <code>${error}</code></p>
  </div>`;

/** Titles of the pages for users who cannot authorize. */
export const HINDRANCE_TITLES: Readonly<Record<Hindrance, string>> = {
  unconfirmed: 'Please confirm your e-mail address first',
  administrator: 'Administrators cannot use this application',
};

const HINDRANCE_TEXTS: Readonly<Record<Hindrance, Html>> = {
  unconfirmed: html`<p>
      Confirm your email address before you authorize applications: they rely on it to identify you.
    </p>
    <p><a href="/-/profile/emails">Go to your e-mail addresses</a></p>`,
  administrator: html`<p>
    On this instance, administrators cannot grant broad access to applications that are not trusted. Please
    sign in with an account that is not an administrator's.
  </p>`,
};

/** Tells a user why they cannot authorize the application. */
export const hindrancePage = (hindrance: Hindrance): Html =>
  html`<div class="card">${HINDRANCE_TEXTS[hindrance]}</div>`;

/** Asks a visitor to repeat a request that is too long to be kept while they visit `location`. */
export const signInFirstPage = (location: string): Html =>
  html`<div class="card">
    <p>This authorization request is too large to keep while you sign in.</p>
    <p><a href="${location}">Sign in</a>, then go back to the application and start again.</p>
  </div>`;
