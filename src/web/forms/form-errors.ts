import { HttpError } from '#kernel/http/errors.js';
import type { FieldError } from './form-fields.view.js';

/** Attributes that have another name on pages than in the API. */
const NAMES: Readonly<Record<string, string>> = {
  destination_storage_name: 'Destination',
  email: 'E-mail address',
  expires_at: 'Expiry date',
  external_url: 'Address of the tool',
  linkedin: 'LinkedIn',
  redirect_uri: 'Redirect URI',
  refresh_grace_period_seconds: 'Grace window',
  source_storage_name: 'Source',
  website_url: 'Website',
};

/** The API's message about a list of checkboxes would not read as a sentence. */
const OF_SCOPES: Readonly<Record<string, string>> = { 'is empty': 'Choose at least one scope' };
const OTHER_SCOPES = 'Choose only scopes from the list';

function nameOfAttribute(attribute: string): string {
  const text = attribute.replaceAll('_', ' ');
  return NAMES[attribute] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(attribute: string, text: string): string {
  if (attribute === 'base') return text;
  if (attribute === 'scopes') return OF_SCOPES[text] ?? OTHER_SCOPES;
  return `${nameOfAttribute(attribute)} ${text}`;
}

/**
 * Converts validation errors of a service into errors of a form: `{name: ["is taken"]}` becomes "Name is
 * taken" at the field `nameOf("name")`. @throws the error itself if it is not a validation error
 */
export function fieldErrorsOf(
  error: unknown,
  nameOf: (attribute: string) => string | null = (attribute) => attribute,
): FieldError[] {
  if (!(error instanceof HttpError) || ![400, 409, 422].includes(error.status)) throw error;
  const message = error.body?.['message'];
  if (typeof message === 'string') return [{ field: null, text: message }];
  if (typeof message !== 'object' || message === null) throw error;
  return Object.entries(message).map(([attribute, texts]) => ({
    field: attribute === 'base' ? null : nameOf(attribute),
    text: sentence(attribute, Array.isArray(texts) ? texts.join(', ') : 'is invalid'),
  }));
}
