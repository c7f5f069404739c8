import { Injectable } from '@nestjs/common';
import type { GroupCaller } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { EPIC_FROM, epicColumns } from './records/epic-columns.sql.js';
import { keepReadableEpics } from './visibility/epic-visibility.js';
import type { ListEpicsParams } from './epics.params.js';
import type { EpicRow } from './records/present-epic.js';

const shape = (withLabelDetails: boolean): ListShape => ({
  kind: 'Epic',
  select: epicColumns(withLabelDetails),
  from: EPIC_FROM,
  countFrom: 'epics e join namespaces n on n.id = e.group_id',
  key: 'e.id',
});
const SHAPE = shape(false);
const DETAILED = shape(true);

const ONE = `select ${epicColumns(false)}, ${subscribedSql('Epic', 'e.id', '$2::bigint', 'null::bigint')} as subscribed
  from ${EPIC_FROM} where e.id = $1`;

/** Reads epics. */
@Injectable()
export class EpicsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the epics of a group that the caller may read. */
  list(caller: GroupCaller, params: ListEpicsParams): ListQuery<EpicRow> {
    const query = new ListQuery<EpicRow>(params.with_labels_details ? DETAILED : SHAPE);
    keepReadableEpics(query, caller, params);
    applyIssuableFilters(query, EPIC, params, caller.actor);
    const { state = 'all', iids = [], confidential } = params;
    if (state !== 'all') query.where('e.state = ?', state);
    if (iids.length > 0) query.where('e.iid = any(?::bigint[])', iids);
    if (confidential !== undefined) query.where('e.confidential = ?', confidential);
    return query.orderBy(`e.${params.order_by ?? 'created_at'}`, params.sort ?? 'desc');
  }

  /** Returns an epic as its readers see it. */
  find(id: number, userId: number | null): Promise<EpicRow> {
    return this.database.always<EpicRow>(ONE, [id, userId]);
  }
}
