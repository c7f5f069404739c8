import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MovedOutOfGroups } from '#core/groups/transfer/moved-out-of-groups.event.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import { COPY_TO_GROUP } from '#core/labels/reach/same-in-group.js';

/** A label of a group above on epics of a group that has left it. */
interface LeftLabel {
  readonly group_id: number;
  readonly id: number;
  readonly title: string;
}

/** `$1`: the former ancestor groups, `$2` and `$3`: what was moved. */
const UNLINK = `delete from epic_issues x using epics e, issues i, projects p, namespaces n
  where e.id = x.epic_id and e.group_id = any($1::bigint[]) and i.id = x.issue_id and p.id = i.project_id and n.id = p.namespace_id
    and not e.group_id = any(n.traversal_ids)
    and case $2 when 'Project' then p.id = $3 else n.traversal_ids @> array[$3::bigint] end`;

const PART = `update epics e set parent_id = null, relative_position = null from epics above, namespaces n
  where above.id = e.parent_id and above.group_id = any($1::bigint[]) and n.id = e.group_id and n.traversal_ids @> array[$2::bigint]
    and not above.group_id = any(n.traversal_ids)`;

const LEFT = `select distinct e.group_id, l.id, l.title from labels l join epic_labels k on k.label_id = l.id join epics e on e.id = k.epic_id
  join namespaces n on n.id = e.group_id
  where l.group_id = any($1::bigint[]) and n.traversal_ids @> array[$2::bigint] and not l.group_id = any(n.traversal_ids)
  order by e.group_id, l.title, l.id`;

const FIND = `select l.id from labels l where l.title = $2 and ${reachable.group('l', '$1')} order by l.id limit 1`;

const RELABEL = `with former as (delete from epic_labels k using epics e where k.label_id = $1 and e.id = k.epic_id and e.group_id = $3
    returning k.epic_id)
  insert into epic_labels (epic_id, label_id) select epic_id, $2::bigint from former order by epic_id on conflict do nothing`;

/**
 * Detaches what was moved from the epics of groups that are no longer above it: its issues leave them, its
 * epics lose them as parents, and its labels are replaced by those of the same names in the new group.
 */
@Injectable()
export class MovedEpicsListener implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on(MovedOutOfGroups, (event, tx) => this.part(event, tx));
  }

  private async part({ moved, groupIds }: MovedOutOfGroups, tx: Tx): Promise<void> {
    if (groupIds.length === 0) return;
    await tx.query(UNLINK, [groupIds, moved.type, moved.id]);
    if (moved.type === 'Project') return;
    await tx.query(PART, [groupIds, moved.id]);
    for (const label of await tx.query<LeftLabel[]>(LEFT, [groupIds, moved.id])) {
      const { group_id: groupId, id, title } = label;
      const found =
        (await find(tx, groupId, title)) ??
        (await tx.query(COPY_TO_GROUP, [groupId, id]).then(() => find(tx, groupId, title)));
      if (found !== null) await tx.query(RELABEL, [id, found, groupId]);
    }
  }
}

async function find(tx: Tx, groupId: number, title: string): Promise<number | null> {
  const [row] = await tx.query<{ id: number }[]>(FIND, [groupId, title]);
  return row?.id ?? null;
}
