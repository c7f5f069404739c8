import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { GroupDeleted } from '#core/groups/deletion/group-deleted.event.js';
import { MovedOutOfGroups } from '#core/groups/transfer/moved-out-of-groups.event.js';
import { LabelLinksService } from '../links/label-links.service.js';
import { reachable } from '../reach/planning-container.js';

/** A group label on issuables of a project that has left the group. */
interface LeftLabel {
  readonly project_id: number;
  readonly id: number;
  readonly title: string;
}

const LEFT = `select distinct u.project_id, l.id, l.title from labels l
  cross join lateral (
    select t.project_id from issue_labels k join issues t on t.id = k.issue_id where k.label_id = l.id
    union select t.project_id from merge_request_labels k join merge_requests t on t.id = k.merge_request_id where k.label_id = l.id) u
  join projects p on p.id = u.project_id join namespaces n on n.id = p.namespace_id
  where l.group_id = any($1::bigint[]) and not l.group_id = any(n.traversal_ids)
    and case $2 when 'Project' then p.id = $3 else n.traversal_ids @> array[$3::bigint] end
  order by u.project_id, l.title, l.id`;

const FIND = `select l.id from labels l where l.title = $2 and ${reachable.project('l', '$1')} order by l.project_id nulls last, l.id limit 1 for key share of l`;

const COPY = `insert into labels (project_id, title, color, description) select $1, title, color, description from labels where id = $2
  on conflict do nothing`;

/**
 * Replaces, on moved issuables, the labels of groups that are no longer above them by labels of the same name
 * in their new project or group.
 */
@Injectable()
export class MovedLabelsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly links: LabelLinksService,
  ) {}

  onModuleInit(): void {
    this.events.on(MovedOutOfGroups, (event, tx) => this.part(event, tx));
    this.events.on(GroupDeleted, async ({ groupId }, tx) => {
      await tx.query(
        `delete from subscriptions where target_type = 'Label' and target_id in (select id from labels where group_id = $1)`,
        [groupId],
      );
    });
  }

  private async part({ moved, groupIds }: MovedOutOfGroups, tx: Tx): Promise<void> {
    if (groupIds.length === 0) return;
    for (const label of await tx.query<LeftLabel[]>(LEFT, [groupIds, moved.type, moved.id])) {
      const { project_id: projectId, id, title } = label;
      const found =
        (await this.find(tx, projectId, title)) ??
        (await tx.query(COPY, [projectId, id]).then(() => this.find(tx, projectId, title)));
      if (found !== null) await this.links.move(tx, [id], found, projectId);
    }
  }

  private async find(tx: Tx, projectId: number, title: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }[]>(FIND, [projectId, title]);
    return row?.id ?? null;
  }
}
