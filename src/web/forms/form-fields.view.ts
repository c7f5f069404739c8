import { html, type Html, type Interpolation } from '#kernel/html/html.js';

/** Error of a field; `field` is its name on the page, or null if no single field is at fault. */
export interface FieldError {
  readonly field: string | null;
  readonly text: string;
}

/** Options of a labeled input. */
export interface FieldOptions {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'url' | 'number' | 'textarea';
  readonly value?: string | number | null | undefined;
  readonly hint?: Interpolation;
  /** Error of the field: a text, or all errors of the form, from which its own are selected. */
  readonly error?: string | null | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly autocomplete?: string;
  readonly required?: boolean;
  readonly readonly?: boolean;
  readonly autofocus?: boolean;
  readonly inputmode?: 'numeric' | 'email' | 'url';
  readonly maxLength?: number;
  /** Number of rows of a text area. */
  readonly rows?: number;
  /** Minimum of a number or date. */
  readonly min?: string | number;
  /** Adds a button that copies the value; the text names the value in the button's label. */
  readonly copy?: string;
}

/** Options of a checkbox or radio button. */
export interface CheckboxOptions {
  readonly label: string;
  readonly name: string;
  readonly value?: string;
  readonly checked?: boolean | undefined;
  readonly hint?: Interpolation;
  readonly type?: 'checkbox' | 'radio';
}

/** Id of an input, which errors link to. */
export const idOf = (name: string, value = ''): string =>
  `f-${`${name}-${value}`.replace(/[^\w-]+/g, '-').replace(/-+$/, '')}`;

const errorOf = ({ error, errors, name }: FieldOptions): string | null =>
  error ?? errors?.find(({ field }) => field === name)?.text ?? null;

/** Renders an attribute; nothing if it has no value. */
export const attribute = (name: string, value: string | number | null | undefined): Html | null =>
  value === null || value === undefined || value === '' ? null : html` ${name}="${value}"`;

/** Renders a labeled input with hint and error, associated with it for screen readers. */
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

/** Renders the input of the user's own password; names differ on a page with several of these forms. */
export const ownPassword = (label: string, name: string, errors: readonly FieldError[]): Html =>
  field({ label, name, type: 'password', required: true, autocomplete: 'current-password', errors });

/** Renders a checkbox. Several of the same name form a list; `type: 'radio'` makes it a single choice. */
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

/** Renders a drop-down list of values with their labels. */
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

/** Renders a group of fields with a legend; an error of the whole group is shown below it. */
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
