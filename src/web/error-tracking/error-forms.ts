import { Flag, Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ERROR_STATUSES, type ErrorStatus } from '#features/error-tracking/errors/error.record.js';
import { SHOWN_ORDERS, type ShownOrder } from './error-words.js';

/** Which errors the list shows, and in what order. */
export class ErrorFilters {
  @OneOf(ERROR_STATUSES, { optional: true })
  status: ErrorStatus = 'unresolved';

  @OneOf(SHOWN_ORDERS, { optional: true })
  order: ShownOrder = 'last_seen';

  @Text({ optional: true, trim: true, maxLength: 200 })
  search = '';
}

/** An error that a page names. */
export class ErrorPagePath {
  @Id({ min: 1 })
  error_id!: number;
}

/** Longer numbers are taken for what an SDK calls an event. */
const MAX_EVENT = 999_999_999_999_999;

/** An error, and which of its events: the last one unless said otherwise. */
export class ShownErrorPath extends ErrorPagePath {
  @Integer({ optional: true, min: 1, max: MAX_EVENT })
  event?: number;
}

/** What the buttons of an error send. */
export class ErrorStatusForm extends ErrorPagePath {
  @OneOf(ERROR_STATUSES)
  status!: ErrorStatus;
}

/** What the form of the settings sends. */
export class TrackingForm {
  @Flag({ optional: true })
  active = false;
}

/** A key that a page names. */
export class TrackingKeyPath {
  @Id({ min: 1 })
  key_id!: number;
}
