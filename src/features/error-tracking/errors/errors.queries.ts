import { Injectable } from '@nestjs/common';
import { byOwner } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type KeysetOrder, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { containing } from '#kernel/database/like.sql.js';
import { ERROR_EVENT_COLUMNS, type ErrorEventRecord, type ErrorEventRow } from './error-event.record.js';
import { ERROR_COLUMNS, type TrackedErrorRow } from './error.record.js';
import { ERROR_ORDERS, type ListErrorsParams } from './errors.params.js';

/**
 * By the owner of the list and then by id, so that the index of the owner is used instead of the primary key.
 */
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

/** Reads errors and their events. */
@Injectable()
export class ErrorsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the errors of a project with a status. */
  list(projectId: number, params: ListErrorsParams): ListQuery<TrackedErrorRow> {
    const { status = 'unresolved', search } = params;
    const { order, direction } = orderOf(params);
    const query = new ListQuery<TrackedErrorRow>(ERRORS).of('e.project_id', projectId).fromReplica();
    if (order === 'id')
      query
        .where('e.status = any(array[?::text])', status)
        .orderByExpression(`e.project_id ${direction}, e.status ${direction}, e.id ${direction}`);
    else query.where('e.status = ?', status).orderBy(`e.${order}`, direction);
    if (search === undefined || search === '') return query;
    const like = containing(search);
    return query
      .where('(e.name ilike ? or e.description ilike ? or e.actor ilike ?)', like, like, like)
      .long();
  }

  /** Returns an error; null if the project has none with this id. */
  find(projectId: number, id: number): Promise<TrackedErrorRow | null> {
    return this.database.one<TrackedErrorRow>(ONE, [projectId, id]);
  }

  /** Lists the events of an error in the order of receipt. */
  events(projectId: number, errorId: number, direction: 'asc' | 'desc'): ListQuery<ErrorEventRecord> {
    return new ListQuery<ErrorEventRecord>(EVENTS)
      .of('v.error_id', errorId)
      .where('v.project_id = ?', projectId)
      .orderBy('v.id', direction)
      .fromReplica();
  }

  /** Returns an event by its id or that of the SDK; null if the project has none. */
  event(projectId: number, id: string): Promise<ErrorEventRow | null> {
    const text = id.length <= 15 ? EVENT_BY_ID : EVENT_BY_SDK_ID;
    return this.database.one<ErrorEventRow>(text, [projectId, id]);
  }

  /** Returns the last received event of an error; null if none remains. */
  lastEvent(projectId: number, errorId: number): Promise<ErrorEventRow | null> {
    return this.database.one<ErrorEventRow>(LAST_EVENT, [projectId, errorId]);
  }

  /** Counts events of errors by the hour after a time; omits hours without events. */
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
