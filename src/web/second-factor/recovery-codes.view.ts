import { html, type Html } from '#kernel/html/html.js';

/** Shows the recovery codes, which no other page ever does; `next` is the page to continue to. */
export const recoveryCodesView = (codes: readonly string[], next: string): Html =>
  html`<div class="card">
    <p>
      Each of these codes signs you in once when your phone is not at hand. Print them or keep them in a
      password manager: <strong>they are shown only now.</strong>
    </p>
    <ol class="codes" id="recovery-codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <p class="actions"><a class="button" href="${next}">I have saved the codes</a></p>
  </div>`;
