import { html, type Html } from '#kernel/html/html.js';
import { submit } from '../forms/form.view.js';

/** Asks for confirmation unless the recipient is signed in. */
export const confirmView = (key: string): Html =>
  html`<div class="card">
    <p>
      Do you want to unsubscribe from mails about this item? You will still receive mails in which someone
      mentions you.
    </p>
    <form action="/-/sent_notifications/${key}/unsubscribe" method="post">${submit('Unsubscribe')}</form>
  </div>`;

/** Confirms that it is done. */
export const doneView = (): Html =>
  html`<div class="card">
    <p role="status">You will only receive emails about it in which someone mentions you.</p>
  </div>`;
