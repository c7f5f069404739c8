import type { Scope } from '#kernel/access/roles.js';
import { html, type Html } from '#kernel/html/html.js';
import { SCOPE_WORDS } from '#features/oauth/scope-texts.js';
import { checkbox, fieldset, type FieldError } from './form-fields.view.js';

/** Renders checkboxes for the available scopes, each with its description; sent as `scopes[]`. */
export function scopeChoice(
  offered: readonly Scope[],
  chosen: readonly string[],
  errors: readonly FieldError[],
): Html {
  const boxes = offered.map((scope) => {
    const { title, description, isWide } = SCOPE_WORDS[scope];
    const hint = isWide ? html`${description} <strong>This scope grants broad access.</strong>` : description;
    return checkbox({
      label: `${title} (${scope})`,
      name: 'scopes[]',
      value: scope,
      checked: chosen.includes(scope),
      hint,
    });
  });
  return fieldset('Scopes', boxes, {
    name: 'scopes',
    hint: 'Choose at least one, and no more than needed.',
    errors,
  });
}

/** Renders names of scopes for a table cell. */
export const scopeNames = (scopes: readonly Scope[]): Html =>
  html`${scopes.map((scope, index) => html`${index > 0 && ' '}<code>${scope}</code>`)}`;
