import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { takeImportedIids } from '#core/iids/imported-iids.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { importResourceEvents } from '#core/issuables/resource-events/exchange/import-resource-events.js';
import { labelsOfEvents } from '#core/issuables/resource-events/exchange/read-resource-events.js';
import { labelIdsOf, resolveLabels } from '#core/labels/exchange/resolve-labels.js';
import { importEmoji, votesOf } from '#core/notes/exchange/emoji.js';
import { importMentions } from '#core/notes/exchange/import-mentions.js';
import { importNotes } from '#core/notes/exchange/import-notes.js';
import { userNotesCount } from '#core/notes/exchange/imported-note.js';
import { importSubscriptions } from '#core/subscriptions/exchange/subscriptions-exchange.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { ImportedEpic } from '../exchange/read-epic.js';

const INSERT = `insert into epics (id, group_id, iid, author_id, title, description, state, confidential, start_date_fixed, start_date_is_fixed,
    due_date_fixed, due_date_is_fixed, closed_by_id, closed_at, user_notes_count, upvotes, downvotes, created_at, updated_at)
  select x.id, $1, x.iid, x.author_id, x.title, x.description, x.state, x.confidential, x.start_date_fixed, x.start_date_is_fixed,
    x.due_date_fixed, x.due_date_is_fixed, x.closed_by_id, x.closed_at, x.notes, x.upvotes, x.downvotes, coalesce(x.created_at, now()),
    greatest(x.updated_at, coalesce(x.created_at, now()))
  from json_to_recordset($2::json) as x(id bigint, iid bigint, author_id bigint, title text, description text, state text, confidential boolean,
    start_date_fixed date, start_date_is_fixed boolean, due_date_fixed date, due_date_is_fixed boolean, closed_by_id bigint, closed_at timestamptz,
    notes integer, upvotes integer, downvotes integer, created_at timestamptz, updated_at timestamptz)`;

const LINK_LABELS = `insert into epic_labels (epic_id, label_id) select epic, label from unnest($1::bigint[], $2::bigint[]) as x(epic, label)`;

/** Imports epics with everything that belongs to them. */
@Injectable()
export class EpicsImporter {
  constructor(private readonly iids: InternalIdsService) {}

  /** Inserts epics; returns their local ids. @throws RecordRefused if a number is taken */
  async load(tx: Tx, target: ImportTarget, rows: readonly ImportedEpic[]): Promise<number[]> {
    const all = [...rows.flatMap((row) => row.labels), ...labelsOfEvents(rows.map(({ events }) => events))];
    const labels = await resolveLabels(tx, target, all);
    const numbers = rows.map(({ columns }) => columns.iid);
    await this.takeNumbers(tx, target.ownerId, numbers);
    const ids = await drawIds(tx, 'epics', rows.length);
    const epics = rows.map((row, at) => ({ ...row, id: ids[at] as number }));
    // Insert notes and emoji before their epics, so that no trigger has to update counters.
    const votes = await importEmoji(tx, 'Epic', epics);
    await importNotes(tx, target, 'Epic', epics);
    const written = epics.map(({ id, columns, notes }) => ({
      id,
      ...columns,
      ...votesOf(votes, id),
      notes: userNotesCount(notes),
    }));
    await tx.query(INSERT, [target.ownerId, JSON.stringify(written)]);
    const pairs = epics.flatMap((epic) =>
      labelIdsOf(labels, epic.labels).map((label) => [epic.id, label] as const),
    );
    if (pairs.length > 0)
      await tx.query(LINK_LABELS, [pairs.map(([epic]) => epic), pairs.map(([, label]) => label)]);
    await importSubscriptions(tx, 'Epic', epics);
    await importResourceEvents(tx, EPIC, epics, { labels, milestones: new Map() });
    const texts = epics.map(({ id, columns: { description: text } }) => ({
      noteableId: id,
      noteId: null,
      text,
    }));
    await importMentions(tx, target, 'Epic', texts);
    return ids;
  }

  private async takeNumbers(tx: Tx, groupId: number, iids: readonly number[]): Promise<void> {
    const numbered = { table: 'epics', owner: 'group_id', ownerId: groupId, word: 'epic' } as const;
    await takeImportedIids(tx, iids, numbered, () => this.iids.takeManyOfGroup(tx, groupId, 'epics', iids));
  }
}
