import { html, type Html, type Interpolation } from '#kernel/html/html.js';

/** What is wrong with one field; `field` is its name on the page, null where it is no single one's fault. */
export interface FieldError {
  readonly field: string | null;
  readonly text: string;
}

/** One input with its label. */
export interface FieldOptions {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'url' | 'number' | 'textarea';
  readonly value?: string | number | null | undefined;
  readonly hint?: Interpolation;
  /** What is wrong with it: a text, or all errors of the form, of which its own are taken. */
  readonly error?: string | null | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly readonly?: boolean;
  readonly autofocus?: boolean;
  readonly inputmode?: 'numeric' | 'email' | 'url';
  readonly maxLength?: number;
  /** Lines of a text area. */
  readonly rows?: number;
  /** Lowest value of a number or date. */
  readonly min?: string | number;
  /** Offers to copy the value: what it is, for the button's name. */
  readonly copy?: string;
}

/** One box to tick, or one of several choices. */
export interface CheckboxOptions {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly checked?: boolean | undefined;
  readonly hint?: Interpolation;
  readonly type?: 'checkbox' | 'radio';
}

/** The id of an input: errors link to it. */
export const idOf = (name: string, value = ''): string =>
  `f-${`${name}-${value}`.replace(/[^\w-]+/g, '-').replace(/-+$/, '')}`;

const errorOf = ({ error, errors, name }: FieldOptions): string | null =>
  error ?? errors?.find(({ field }) => field === name)?.text ?? null;

const attribute = (name: string, value: string | number | null | undefined): Html | null =>
  value === null || value === undefined || value === '' ? null : html` ${name}="${value}"`;

/** A labelled input with hint and error, tied together for screen readers. */
export function field(options: FieldOptions): Html {
  const { label, name, type = 'text', value, hint, required, readonly: isReadonly, autofocus } = options;
  const id = idOf(name);
  const error = errorOf(options);
  const described = [hint ? `${id}-hint` : '', error === null ? '' : `${id}-error`].filter(Boolean).join(' ');
  const attributes: Interpolation = [
    html`id="${id}" name="${name}"`,
    attribute('aria-describedby', described),
    error === null ? null : html` aria-invalid="true"`,
    attribute('autocomplete', options.autocomplete),
    attribute('inputmode', options.inputmode),
    attribute('maxlength', options.maxLength),
    attribute('min', options.min),
    attribute('rows', options.rows),
    attribute('data-copy', options.copy),
    required && html` required`,
    isReadonly && html` readonly`,
    autofocus && html` autofocus`,
    (type === 'password' || type === 'email' || type === 'url') &&
      html` spellcheck="false" autocapitalize="none"`,
  ];
  const input =
    type === 'textarea'
      ? html`<textarea ${attributes}>${'\n'}${value}</textarea>`
      : html`<input type="${type}" ${attributes} value="${value}" />`;
  return html`<div class="field">
    <label for="${id}"
      >${label}${required || isReadonly ? null : html` <span class="muted">(optional)</span>`}</label
    >
    ${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}
    ${error !== null && html`<span class="error" id="${id}-error">Error: ${error}</span>`}
    ${options.copy === undefined ? input : html`<span class="copy">${input}</span>`}
  </div>`;
}

/** A box to tick; several of one name make a list, `type: 'radio'` a choice of one. */
export function checkbox({
  label,
  name,
  value = '1',
  checked,
  hint,
  type = 'checkbox',
}: CheckboxOptions): Html {
  const id = idOf(name, value);
  return html`<div class="choice">
    <input
      type="${type}"
      id="${id}"
      name="${name}"
      value="${value}"
      ${hint ? html`aria-describedby="${id}-hint"` : null}
      ${checked && html`checked`}
    />
    <label for="${id}">${label}</label>
    ${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}
  </div>`;
}

/** A choice from a list of values with their labels. */
export function select(
  options: Pick<FieldOptions, 'label' | 'name' | 'value' | 'hint' | 'error' | 'errors'>,
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const { label, name, value, hint } = options;
  const id = idOf(name);
  const error = errorOf(options);
  const described = [hint ? `${id}-hint` : '', error === null ? '' : `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}
    ${error !== null && html`<span class="error" id="${id}-error">Error: ${error}</span>`}
    <select
      id="${id}"
      name="${name}"
      ${attribute('aria-describedby', described)}
      ${error !== null && html`aria-invalid="true"`}
    >
      ${choices.map(([key, text]) => html`<option value="${key}" ${key === value && html`selected`}>${text}</option>`)}
    </select>
  </div>`;
}

/** Fields that belong together, under a legend; an error of all of them stands below it. */
export function fieldset(
  legend: string,
  content: Interpolation,
  { name, hint, errors = [] }: { name?: string; hint?: Interpolation; errors?: readonly FieldError[] } = {},
): Html {
  const error = errors.find(({ field: of }) => of !== null && of === name)?.text;
  const id = idOf(name ?? legend);
  const described = [hint ? `${id}-hint` : '', error === undefined ? '' : `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return html`<fieldset id="${id}" ${described !== '' && html`aria-describedby="${described}"`}>
    <legend>${legend}</legend>
    ${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}
    ${error !== undefined && html`<span class="error" id="${id}-error">Error: ${error}</span>`} ${content}
  </fieldset>`;
}

/** A button that sends its form. */
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
    /** What it is about, where several buttons of a page say the same. */
    of?: string;
  } = {},
): Html {
  const classes = ['button', look, small ? 'small' : undefined].filter(Boolean).join(' ');
  return html`<button type="submit" class="${classes}" ${attribute('name', name)}${attribute('value', value)}>
    ${label}${of !== undefined && html`<span class="unseen"> ${of}</span>`}
  </button>`;
}

/** A form with its token; other methods than POST travel in the field `_method`, as browsers cannot send them. */
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

/** What is wrong with a form, at its top, with links to the fields. */
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

/** A table that scrolls sideways where it is too wide; without rows it says so. */
export function dataTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly Interpolation[])[],
  empty = 'Nothing here yet.',
): Html {
  const body =
    rows.length === 0
      ? html`<tr>
          <td class="empty" colspan="${heads.length}">${empty}</td>
        </tr>`
      : rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        );
  return html`<div class="table" role="region" aria-label="${caption}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}
