import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ERROR_STATUSES, type ErrorStatus } from './error.record.js';

/** Orders of the list of errors, with their common aliases. */
export const ERROR_ORDERS = {
  last_seen_at: 'last_seen_at',
  last_seen: 'last_seen_at',
  first_seen_at: 'first_seen_at',
  first_seen: 'first_seen_at',
  events_count: 'events_count',
  frequency: 'events_count',
  id: 'id',
} as const;

/** Name of an order. */
export type ErrorOrder = keyof typeof ERROR_ORDERS;

const ORDERS = Object.keys(ERROR_ORDERS) as ErrorOrder[];

/** Filters and order of the list of errors. */
export class ListErrorsParams {
  @OneOf(ERROR_STATUSES, { optional: true, description: 'Default: unresolved' })
  status?: ErrorStatus;

  @Text({ optional: true, maxLength: 255, description: 'Part of name, description or actor' })
  search?: string;

  @OneOf(ORDERS, { optional: true, description: 'last_seen_at unless given' })
  order_by?: ErrorOrder;

  @OneOf(['asc', 'desc', ...ORDERS.filter((name) => name !== 'id')], {
    optional: true,
    description: 'desc unless given. The name of an order is taken too, and means that order, downwards',
  })
  sort?: 'asc' | 'desc' | Exclude<ErrorOrder, 'id'>;
}

/** Path parameters of an error. */
export class FindErrorParams {
  @Id({ min: 0 })
  error_id!: number;
}

/** Parameters of the events of an error. */
export class ListErrorEventsParams extends FindErrorParams {
  @OneOf(['id'], { optional: true, description: 'In the order in which they were received' })
  order_by?: 'id';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default: desc' })
  sort?: 'asc' | 'desc';
}

/** Path parameters of an event. */
export class FindErrorEventParams {
  @Text({
    maxLength: 36,
    matches: /^(\d{1,15}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
    description: 'Id of the event here, or the one that the SDK gave it',
  })
  event_id!: string;
}

/** Parameters of an update of an error. */
export class UpdateErrorParams extends FindErrorParams {
  @OneOf(ERROR_STATUSES)
  status!: ErrorStatus;
}
