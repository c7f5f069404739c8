import type { Tx } from '#kernel/database/transactions.js';
import type { IssuableKind } from '../../issuable-kind.js';
import { issuableColumn } from '../write-resource-events.js';
import type { ImportedResourceEvents } from '../exchange/read-resource-events.js';

/** Imported events of an issuable. */
interface ResourceEventsItem {
  /** Id of the local issuable. */
  readonly id: number;
  readonly events: ImportedResourceEvents;
}

/** Local ids of labels and milestones, by title. */
interface Known {
  readonly labels: ReadonlyMap<string, number>;
  readonly milestones: ReadonlyMap<string, number>;
}

const insert = (kind: IssuableKind, table: string, columns: string, types: string): string =>
  `insert into ${table} (${issuableColumn(kind)}, user_id, created_at, ${columns})
   select x.issuable, x.done_by, coalesce(x.done_at, now()), ${columns.replace(/\w+/g, 'x.$&')}
   from json_to_recordset($1::json) as x(issuable bigint, done_by bigint, done_at timestamptz, ${types})`;

/**
 * Inserts the events of many issuables, with one statement per kind; call it after the issuables are written.
 */
export async function importResourceEvents(
  tx: Tx,
  kind: IssuableKind,
  items: readonly ResourceEventsItem[],
  { labels, milestones }: Known,
): Promise<void> {
  const write = async (text: string, rowsOf: (events: ImportedResourceEvents) => object[]): Promise<void> => {
    const rows = items.flatMap(({ id, events }) => rowsOf(events).map((row) => ({ issuable: id, ...row })));
    if (rows.length > 0) await tx.query(text, [JSON.stringify(rows)]);
  };
  await write(
    insert(kind, 'resource_label_events', 'label_id, action', 'label_id bigint, action text'),
    ({ labelEvents }) =>
      labelEvents.map(({ userId, createdAt, action, label }) => ({
        ...{ done_by: userId, done_at: createdAt, action },
        label_id: label && (labels.get(label.title) ?? null),
      })),
  );
  await write(
    insert(
      kind,
      'resource_milestone_events',
      'milestone_id, action, state',
      'milestone_id bigint, action text, state text',
    ),
    ({ milestoneEvents }) =>
      milestoneEvents.map(({ userId, createdAt, action, state, milestone }) => ({
        ...{ done_by: userId, done_at: createdAt, action, state },
        milestone_id: milestone && (milestones.get(milestone.title) ?? null),
      })),
  );
  await write(
    insert(kind, 'resource_state_events', 'state, source_commit', 'state text, source_commit text'),
    ({ stateEvents }) =>
      stateEvents.map(({ userId, createdAt, state, commit }) => ({
        ...{ done_by: userId, done_at: createdAt, state, source_commit: commit },
      })),
  );
}
