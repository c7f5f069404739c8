import { html, type Html } from '#kernel/html/html.js';
import { field } from '../forms/form-fields.view.js';

/** Page that shows the code to users whose program cannot receive a redirect. */
export const codePage = (code: string): Html =>
  html`<div class="card">
    <p>Copy this code into the application that sent you here. It works once, within ten minutes.</p>
    ${field({ label: 'Authorization code', name: 'code', value: code, readonly: true, copy: 'the authorization code' })}
    <p class="muted">Do not share it: anyone who has it may get access to your account.</p>
  </div>`;

/**
 * Page that posts the response to the application as a form, as it requested. A script submits it; without
 * one the visitor does.
 */
export const formPostPage = (
  redirectUri: string,
  parameters: readonly (readonly [name: string, value: string])[],
): Html =>
  html`<div class="card">
    <p>You are taken back to the application.</p>
    <form action="${redirectUri}" method="post" accept-charset="utf-8" data-send>
      ${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button type="submit" class="button">Continue</button>
    </form>
  </div>`;
