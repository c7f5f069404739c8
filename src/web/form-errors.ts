import { HttpError } from '#kernel/http/errors.js';
import type { FieldError } from './forms.js';

const words = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/**
 * What a service has against the values of a form, for the page to show: `{name: ["is taken"]}` becomes "Name is taken" at the field
 * `nameOf("name")`. @throws the error itself where it is about anything else
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
    text: `${attribute === 'base' ? '' : `${words(attribute)} `}${Array.isArray(texts) ? texts.join(', ') : 'is invalid'}`,
  }));
}
