import { Flag, Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ERROR_STATUSES, type ErrorStatus } from '#features/error-tracking/errors/error.record.js';
import { SHOWN_ORDERS, type ShownOrder } from './error-texts.js';

/** Filters and order of the error list. */
export class ErrorFilters {
  @OneOf(ERROR_STATUSES, { optional: true })
  status: ErrorStatus = 'unresolved';

  @OneOf(SHOWN_ORDERS, { optional: true })
  order: ShownOrder = 'last_seen';

  @Text({ optional: true, trim: true, maxLength: 200 })
  search = '';
}

/** Path parameters of an error. */
export class ErrorPagePath {
  @Id({ min: 1 })
  error_id!: number;
}

/** Longer numbers are taken for an SDK's own event id. */
const MAX_EVENT = 999_999_999_999_999;

/** Path parameters of an error and one of its events, by default the last one. */
export class ShownErrorPath extends ErrorPagePath {
  @Integer({ optional: true, min: 1, max: MAX_EVENT })
  event?: number;
}

/** Form of the status buttons of an error. */
export class ErrorStatusForm extends ErrorPagePath {
  @OneOf(ERROR_STATUSES)
  status!: ErrorStatus;
}

/** Form of the settings. */
export class TrackingForm {
  @Flag({ optional: true })
  active = false;
}

/** Path parameters of a key. */
export class TrackingKeyPath {
  @Id({ min: 1 })
  key_id!: number;
}
