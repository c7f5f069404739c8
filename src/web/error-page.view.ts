import type { Failure } from '#kernel/html/error-page.js';
import { html, type Html } from '#kernel/html/html.js';
import { htmlDocument } from './layout/document.js';

/** Title and advice for the statuses that people commonly see. */
const TEXTS: Readonly<Record<number, readonly [title: string, advice: string]>> = {
  302: ['Moved', 'You are being redirected.'],
  400: ['This request cannot be read', 'Please go back and try again.'],
  401: ['Please sign in', 'You need to be signed in to see this page.'],
  403: ['You may not see this page', 'Your account does not have the right to do this.'],
  404: ['Page not found', 'This page does not exist, or you do not have permission to view it.'],
  405: ['This does not work here', 'This page does not support that kind of request.'],
  413: ['This is too large', 'Please send less at a time.'],
  414: ['The address is too long', 'Please go back and try again with less in it.'],
  422: ['The form was not accepted', 'Nothing has been changed.'],
  429: ['Too many requests', 'Please wait a minute before you try again.'],
  500: ['Something went wrong', 'The error is on our side and has been logged. Please try again later.'],
  503: ['The service is busy', 'Please try again in a few seconds.'],
};

/** Renders an error page: what the error means, what to do, and the id of the request in the log. */
export function errorPage({ status, details, requestId }: Failure): Html {
  const [title, advice] = TEXTS[status] ?? ['This did not work', 'Please go back and try again.'];
  const main = html`<h1>${title}</h1>
    <div class="card">
      ${details.map((text) => html`<p>${text}</p>`)}
      <p>${advice}</p>
      <p><a href="/">Go to the start page</a></p>
    </div>
    <p class="muted">Error ${status}. Request <code>${requestId}</code></p>`;
  return htmlDocument({ title: `${title} (${status})`, main });
}
