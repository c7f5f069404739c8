import { Injectable } from '@nestjs/common';
import type { GroupCaller } from '#kernel/access/caller.js';
import type { ListQuery, ListShape } from '#kernel/database/lists/list-query.js';
import { MergedListQuery } from '#kernel/database/lists/merged-list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { applyIssuableFilters } from '#core/issuables/lists/issuable-filters.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { subscribedSql } from '#core/subscriptions/subscribed.sql.js';
import { EPIC_FROM, epicColumns } from './records/epic-columns.sql.js';
import { groupsOfEpics, keepReadableEpics } from './visibility/epic-visibility.js';
import type { ListEpicsParams } from './epics.params.js';
import type { EpicRow } from './records/present-epic.js';

const shape = (withLabelDetails: boolean): ListShape => ({
  kind: 'Epic',
  select: epicColumns(withLabelDetails),
  from: EPIC_FROM,
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
    const { order_by: order = 'created_at', sort = 'desc' } = params;
    const plan = {
      ...groupsOfEpics(caller, params),
      from: 'epics e',
      owner: ['e.group_id', 's.id'],
      order: `e.${order}`,
      id: 'e.id',
    } as const;
    const query = new MergedListQuery<EpicRow>(params.with_labels_details ? DETAILED : SHAPE, plan, sort);
    keepReadableEpics(query, caller, params, 's');
    applyIssuableFilters(query, EPIC, params, caller.actor);
    const { state = 'all', iids = [], confidential } = params;
    if (state !== 'all') query.where('e.state = ?', state);
    if (iids.length > 0) query.where('e.iid = any(?::bigint[])', iids);
    if (confidential !== undefined) query.where('e.confidential = ?', confidential);
    return query;
  }

  /** Returns an epic as its readers see it. */
  find(id: number, userId: number | null): Promise<EpicRow> {
    return this.database.always<EpicRow>(ONE, [id, userId]);
  }
}
