import { html, type Html, type Interpolation } from '#kernel/html/html.js';
import { attribute, idOf, type FieldError } from './form-fields.view.js';

/** Renders a submit button. */
export function submit(
  label: string,
  {
    look,
    small,
    name,
    value,
    of,
  }: {
    look?: 'secondary' | 'danger';
    small?: boolean;
    name?: string;
    value?: string;
    /** The object of the action, if several buttons of a page have the same label. */
    of?: string;
  } = {},
): Html {
  const classes = ['button', look, small ? 'small' : undefined].filter(Boolean).join(' ');
  return html`<button type="submit" class="${classes}" ${attribute('name', name)}${attribute('value', value)}>
    ${label}${of !== undefined && html`<span class="unseen"> ${of}</span>`}
  </button>`;
}

/**
 * Renders a form with its CSRF token. Methods other than POST are sent in the field `_method`, since browsers
 * cannot send them.
 */
export function form(
  {
    action,
    method = 'post',
    csrfToken,
  }: { action: string; method?: 'post' | 'put' | 'patch' | 'delete'; csrfToken: string },
  ...content: readonly Interpolation[]
): Html {
  return html`<form action="${action}" method="post" accept-charset="utf-8">
    <input type="hidden" name="authenticity_token" value="${csrfToken}" />
    ${method !== 'post' && html`<input type="hidden" name="_method" value="${method}" />`} ${content}
  </form>`;
}

/** Renders the errors of a form at its top, with links to the fields. */
export function errorSummary(errors: readonly FieldError[]): Html | null {
  if (errors.length === 0) return null;
  const items = errors.map(({ field: name, text }) =>
    name === null ? html`<li>${text}</li>` : html`<li><a href="#${idOf(name)}">${text}</a></li>`,
  );
  return html`<div class="notice bad" id="errors" role="alert" tabindex="-1">
    <h2>Please check your entries</h2>
    <ul>
      ${items}
    </ul>
  </div>`;
}
