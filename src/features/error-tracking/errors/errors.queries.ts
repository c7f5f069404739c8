import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type KeysetOrder, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { containing } from '#kernel/database/like.sql.js';
import { ERROR_EVENT_COLUMNS, type ErrorEventRecord, type ErrorEventRow } from './error-event.record.js';
import { ERROR_COLUMNS, type TrackedErrorRow } from './error.record.js';
import { ERROR_ORDERS, type ListErrorsParams } from './errors.params.js';

/** By what the lists are of, and then by id: the index of these is walked, not that of everything. */
const within = (
  columns: readonly { sql: string; property: string; type: 'bigint' | 'text' }[],
): KeysetOrder => ({
  columns,
  directions: ['asc', 'desc'],
});

const ERRORS: ListShape = {
  kind: 'Error',
  select: ERROR_COLUMNS,
  from: 'error_tracking_errors e',
  key: 'e.id',
  keyset: {
    id: within([
      { sql: 'e.project_id', property: 'project_id', type: 'bigint' },
      { sql: 'e.status', property: 'status', type: 'text' },
      { sql: 'e.id', property: 'id', type: 'bigint' },
    ]),
  },
};

const EVENTS: ListShape = {
  kind: 'Event',
  select: ERROR_EVENT_COLUMNS,
  from: 'error_tracking_events v',
  key: 'v.id',
  keyset: { id: byOwner('v', 'error_id') },
};

const ONE = `select ${ERROR_COLUMNS} from error_tracking_errors e where e.id = $2 and e.project_id = $1`;

const EVENT = `select ${ERROR_EVENT_COLUMNS}, v.payload from error_tracking_events v`;
const EVENT_BY_ID = `${EVENT} where v.id = $2 and v.project_id = $1`;
const EVENT_BY_SDK_ID = `${EVENT} where v.project_id = $1 and v.event_id = $2::uuid`;
const LAST_EVENT = `${EVENT} where v.error_id = any(array[$2::bigint]) and v.project_id = $1
  order by v.error_id desc, v.id desc limit 1`;

const HOURS = `select error_id, hour, events_count as count from error_tracking_hours
  where error_id = any($1::bigint[]) and hour > $2 order by error_id, hour`;

/** Number of events of an error in an hour. */
export interface ErrorHour {
  readonly error_id: number;
  readonly hour: Date;
  readonly count: number;
}

/** Reading errors and their events. */
@Injectable()
export class ErrorsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The errors of a project in one state. */
  list(projectId: number, params: ListErrorsParams): ListQuery<TrackedErrorRow> {
    const { status = 'unresolved', search } = params;
    const { order, direction } = orderOf(params);
    const query = new ListQuery<TrackedErrorRow>(ERRORS);
    if (order === 'id')
      query
        .where('e.project_id = any(array[?::bigint]) and e.status = any(array[?::text])', projectId, status)
        .orderByExpression(`e.project_id ${direction}, e.status ${direction}, e.id ${direction}`);
    else query.where('e.project_id = ? and e.status = ?', projectId, status).orderBy(`e.${order}`, direction);
    if (search === undefined || search === '') return query;
    const like = containing(search);
    return query
      .where('(e.name ilike ? or e.description ilike ? or e.actor ilike ?)', like, like, like)
      .long();
  }

  /** One, or null where the project has none of this id. */
  find(projectId: number, id: number): Promise<TrackedErrorRow | null> {
    return this.database.one<TrackedErrorRow>(ONE, [projectId, id]);
  }

  /** The events of an error in the order in which they were received. */
  events(projectId: number, errorId: number, direction: 'asc' | 'desc'): ListQuery<ErrorEventRecord> {
    return new ListQuery<ErrorEventRecord>(EVENTS)
      .where('v.error_id = any(array[?::bigint]) and v.project_id = ?', errorId, projectId)
      .orderByExpression(`v.error_id ${direction}, v.id ${direction}`);
  }

  /** One event by its id or the one that the SDK gave it, or null where the project has none such. */
  event(projectId: number, id: string): Promise<ErrorEventRow | null> {
    const text = id.length <= 15 ? EVENT_BY_ID : EVENT_BY_SDK_ID;
    return this.database.one<ErrorEventRow>(text, [projectId, id]);
  }

  /** The event of an error that was received last; null where there is none any more. */
  lastEvent(projectId: number, errorId: number): Promise<ErrorEventRow | null> {
    return this.database.one<ErrorEventRow>(LAST_EVENT, [projectId, errorId]);
  }

  /** Events of some errors by the hour, after a time; hours without any are left out. */
  hours(errorIds: readonly number[], after: Date): Promise<ErrorHour[]> {
    return this.database.short<ErrorHour>(HOURS, [errorIds, after]);
  }
}

interface Order {
  readonly order: (typeof ERROR_ORDERS)[keyof typeof ERROR_ORDERS];
  readonly direction: 'asc' | 'desc';
}

function orderOf({ order_by: name = 'last_seen_at', sort = 'desc' }: ListErrorsParams): Order {
  return sort === 'asc' || sort === 'desc'
    ? { order: ERROR_ORDERS[name], direction: sort }
    : { order: ERROR_ORDERS[sort], direction: 'desc' };
}
