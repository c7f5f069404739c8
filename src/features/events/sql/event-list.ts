import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import {
  DEEP_OFFSET,
  ListQuery,
  type KeysetOrder,
  type Statement,
} from '#kernel/database/lists/list-query.js';
import { kindsOf } from '../event-kinds.js';
import type { ListEventsParams } from '../events.params.js';
import { COUNT_HORIZON, isOverCountLimit } from '#kernel/http/paging/totals.js';
import { authorCountSql, authorPageSql, type AuthorShape } from './author-events.sql.js';
import type { EventScope, EventsShape } from './events.sql.js';
import { scopeCountSql, scopePageSql, type ScopeShape } from './scope-events.sql.js';
import { plainCountSql, plainPageSql } from './plain-events.sql.js';
import type { EventRow } from '../present-event.js';

const BY_TIME: KeysetOrder = {
  columns: [
    { sql: 'e.created_at', property: 'created_ms', type: 'bigint' },
    { sql: 'e.id', property: 'id', type: 'bigint' },
  ],
  directions: ['asc', 'desc'],
};

/** Source of a list: a project or an author, or the caller's memberships. */
export interface EventSource {
  readonly scope: EventScope;
  readonly value: number | string;
  /** The caller's role in that project, from the guards. */
  readonly role?: Role;
  /** No part of that project is disabled. */
  readonly hasAllParts?: boolean;
}

/** A list of events: each page in one statement, which reads each source in the order of an index. */
export class EventList extends ListQuery<EventRow> {
  private readonly scope: EventScope;
  private readonly base: readonly unknown[];
  private readonly bounds: string;
  private readonly sort: 'asc' | 'desc';
  private readonly isWhole: boolean;
  /** Nothing of a project is filtered or hidden: roles and parts are not checked. */
  private readonly isPlain: boolean;

  constructor(
    { scope, value, role = Role.None, hasAllParts = false }: EventSource,
    viewer: Actor | null,
    params: ListEventsParams,
    private readonly offsetOrder: 'created_at' | 'id',
  ) {
    super({ kind: 'Event', select: '', from: '', key: 'e.id', keyset: { created_at: BY_TIME } });
    const { action, target_type: type, after, before, sort = 'desc' } = params;
    this.isWhole = action === undefined && type === undefined;
    // Everyone from Reporter up sees the same events of a project: one statement for all of them, whose total
    // is cached once.
    const isTrusted = scope === 'project' && role >= Role.Reporter;
    this.isPlain = isTrusted && hasAllParts && this.isWhole;
    const values: unknown[] = this.isPlain
      ? [value]
      : [
          isTrusted ? null : (viewer?.id ?? null),
          isTrusted || viewer?.admin === true,
          isTrusted || (viewer !== null && !viewer.external),
          kindsOf(action, type),
          this.isWhole,
          value,
        ];
    let bounds = '';
    if (after) bounds += ` and e.created_at >= $${values.push(after)}`;
    if (before) bounds += ` and e.created_at < $${values.push(before)}`;
    this.scope = scope;
    this.base = values;
    this.bounds = bounds;
    this.sort = sort;
    // As many sources as projects, and other readers may see less of each than its author.
    const isOwn = scope === 'author by id' && value === viewer?.id;
    this.isLong = scope !== 'project' && !isOwn && viewer?.admin !== true;
  }

  override pageStatement(limit: number, offset: number): Statement {
    if (this.isPlain) return this.plainPage(limit, offset);
    const values = [...this.base, limit + offset, limit, offset];
    const [most, ...take] = this.marks(3);
    return {
      text: pageSql(
        this.shapeOf(this.offsetOrder, this.sort, '', most, `limit ${take[0]} offset ${take[1]}`),
      ),
      values,
    };
  }

  override keysetStatement(
    { columns }: KeysetOrder,
    direction: 'asc' | 'desc',
    after: readonly unknown[] | null,
    limit: number,
  ): Statement {
    const order = columns.length === 1 ? 'id' : 'created_at';
    const values = [...this.base, limit, ...(after ?? [])];
    const [most, first, second] = this.marks(3);
    const sign = direction === 'asc' ? '>' : '<';
    const behind =
      after === null
        ? ''
        : order === 'id'
          ? ` and e.id ${sign} ${first}::bigint`
          : ` and (e.created_at, e.id) ${sign} (to_timestamp(greatest(${first}::bigint, 0) / 1000.0), ${second}::bigint)`;
    const shape = this.shapeOf(order, direction, behind, most, `limit ${most}`);
    return { text: this.isPlain ? plainPageSql(shape) : pageSql(shape), values };
  }

  override countStatement(limit: number): Statement {
    const [most] = this.marks(1);
    if (this.isPlain) return { text: plainCountSql(this.bounds, most), values: [...this.base, limit] };
    const shape = this.shapeOf(this.offsetOrder, this.sort, '', most, `limit ${most}`);
    return { text: countSql(shape), values: [...this.base, limit] };
  }

  /** With the total, unless it is known to exceed the limit. */
  private plainPage(limit: number, offset: number): Statement {
    const [count, skip, most] = this.marks(3);
    const shape = this.shapeOf(this.offsetOrder, this.sort, '', count, `limit ${count} offset ${skip}`);
    const values = [...this.base, limit, offset];
    const isDeep = offset >= DEEP_OFFSET;
    if (isOverCountLimit(this.countStatement(COUNT_HORIZON)))
      return { text: plainPageSql({ ...shape, isDeep }), values };
    const total = `, (${plainCountSql(this.bounds, most)}) as page_total`;
    return { text: plainPageSql({ ...shape, isDeep }, total), values: [...values, COUNT_HORIZON] };
  }

  private marks(count: number): [string, string, string] {
    const numbers = Array.from({ length: count }, (_, index) => `$${this.base.length + 1 + index}`);
    return numbers as [string, string, string];
  }

  private shapeOf(
    order: 'created_at' | 'id',
    direction: 'asc' | 'desc',
    behind: string,
    most: string,
    take: string,
  ): EventsShape {
    const range = `${this.bounds}${behind}`;
    return { scope: this.scope, isWhole: this.isWhole, order, direction, range, most, take };
  }
}

const isOfAuthor = (shape: EventsShape): shape is AuthorShape => shape.scope.startsWith('author');

const pageSql = (shape: EventsShape): string =>
  isOfAuthor(shape) ? authorPageSql(shape) : scopePageSql(shape as ScopeShape);

const countSql = (shape: EventsShape): string =>
  isOfAuthor(shape) ? authorCountSql(shape) : scopeCountSql(shape as ScopeShape);
