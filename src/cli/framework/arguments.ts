import { InvalidArgumentError } from 'commander';
import { SCOPES, type Scope } from '#kernel/access/roles.js';

/** Parses an integer within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (!(number >= min && number <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return number;
  };
}

/** Parses a valid calendar date in the form YYYY-MM-DD. */
export function calendarDate(text: string): string {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (!date || Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text))
    throw new InvalidArgumentError('It must be a date in the form YYYY-MM-DD.');
  return text;
}

/** Parses comma-separated scopes. */
export function scopeList(text: string): Scope[] {
  return text.split(',').map((part) => {
    const scope = SCOPES.find((one) => one === part.trim());
    if (!scope) throw new InvalidArgumentError(`Scopes are ${SCOPES.join(', ')}.`);
    return scope;
  });
}
