import { html, type Html } from '#kernel/html/html.js';
import type { ErrorStatus } from '#features/error-tracking/errors/error.record.js';

/** Labels of the statuses. */
export const STATUS_WORDS: Readonly<Record<ErrorStatus, string>> = {
  unresolved: 'Unresolved',
  resolved: 'Resolved',
  ignored: 'Ignored',
};

const TONES: Readonly<Record<ErrorStatus, string>> = { unresolved: 'bad', resolved: 'good', ignored: '' };

/** Orders of the list, latest or most first. */
export const SHOWN_ORDERS = ['last_seen', 'first_seen', 'frequency'] as const;

/** Order of the error list. */
export type ShownOrder = (typeof SHOWN_ORDERS)[number];

/** Labels of the orders. */
export const ORDER_WORDS: Readonly<Record<ShownOrder, string>> = {
  last_seen: 'Last seen',
  first_seen: 'First seen',
  frequency: 'Most events',
};

/** Badge of a status. */
export const statusBadge = (status: ErrorStatus): Html =>
  html`<span class="badge ${TONES[status]}">${STATUS_WORDS[status]}</span>`;

/** Badge of the severity, as the application named it. */
export const levelBadge = (level: string): Html => html`<span class="badge">${level}</span>`;

const NUMBERS = new Intl.NumberFormat('en-GB');

/** A count with its noun: "1,234 events". */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBERS.format(count)} ${count === 1 ? one : many}`;

/** Formats a number for display. */
export const numberText = (count: number): string => NUMBERS.format(count);
