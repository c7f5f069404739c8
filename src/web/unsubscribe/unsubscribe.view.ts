import { html, type Html } from '#kernel/html/html.js';
import { submit } from '../forms/form-fields.view.js';

/** Asks for confirmation unless the recipient is signed in. */
export const confirmView = (key: string): Html =>
  html`<div class="card">
    <p>
      Do you want no more mails of what this mail is about? You still get those in which somebody mentions
      you.
    </p>
    <form action="/-/sent_notifications/${key}/unsubscribe" method="post">${submit('Unsubscribe')}</form>
  </div>`;

/** Confirms that it is done. */
export const doneView = (): Html =>
  html`<div class="card">
    <p role="status">You get no more mails of it, but for those in which somebody mentions you.</p>
  </div>`;
