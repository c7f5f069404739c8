import { List } from '#kernel/http/fields/composite-fields.js';
import { Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { IdOrAny, type AnyOrNone } from '#core/issuables/lists/any-or-none.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertSeverity, type AlertStatus } from '../alert-values.js';

/** Orders of the list of alerts. */
export const ALERT_ORDERS = ['started_at', 'severity', 'created_at', 'iid', 'id'] as const;

/** Order of the list of alerts. */
export type AlertOrder = (typeof ALERT_ORDERS)[number];

/** Filters and order of the list of alerts. */
export class ListAlertsParams {
  @OneOf(ALERT_STATUSES, { optional: true })
  status?: AlertStatus;

  @OneOf(ALERT_SEVERITIES, { optional: true })
  severity?: AlertSeverity;

  @Text({ optional: true, maxLength: 255, description: 'Exact name of an environment' })
  environment?: string;

  @IdOrAny({ optional: true, description: 'Id of a user, Any or None' })
  assignee_id?: number | AnyOrNone;

  @Text({ optional: true, maxLength: 255 })
  assignee_username?: string;

  @Text({
    optional: true,
    maxLength: 1_000,
    description: 'In title, description, service and monitoring tool',
  })
  search?: string;

  @OneOf(ALERT_ORDERS, { optional: true, description: 'started_at unless given' })
  order_by?: AlertOrder;

  @OneOf(['asc', 'desc'], {
    optional: true,
    description: 'desc unless given: the newest, the most severe first',
  })
  sort?: 'asc' | 'desc';
}

/** Path parameters of an alert. */
export class FindAlertParams {
  @Id()
  alert_iid!: number;
}

/** Parameters of an update of an alert. */
export class UpdateAlertParams extends FindAlertParams {
  @OneOf(ALERT_STATUSES, { optional: true })
  status?: AlertStatus;

  @List(Id(), { optional: true, nullable: true, commaSeparated: true, description: '0 for nobody' })
  assignee_ids?: number[] | null;
}
