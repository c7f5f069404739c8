import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MovedOutOfGroups } from '#core/groups/transfer/moved-out-of-groups.event.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { reachable } from '#core/labels/reach/planning-container.js';
import { MilestoneLinksService } from '../milestone-links.service.js';
import { lockTitle } from '../milestone-rules.js';

/** A group milestone on issuables of a project that has left the group. */
interface LeftMilestone {
  readonly project_id: number;
  readonly id: number;
  readonly title: string;
}

const LEFT = `select distinct u.project_id, ms.id, ms.title from milestones ms
  cross join lateral (
    select t.project_id from issues t where t.milestone_id = ms.id
    union select t.project_id from merge_requests t where t.milestone_id = ms.id) u
  join projects p on p.id = u.project_id join namespaces n on n.id = p.namespace_id
  where ms.group_id = any($1::bigint[]) and not ms.group_id = any(n.traversal_ids)
    and case $2 when 'Project' then p.id = $3 else n.traversal_ids @> array[$3::bigint] end
  order by u.project_id, ms.title, ms.id`;

const FIND = `select ms.id from milestones ms where ms.title = $2 and ${reachable.project('ms', '$1')}
  order by ms.project_id nulls last, ms.id limit 1`;

const COPY = `insert into milestones (project_id, iid, title, description, state, start_date, due_date)
  select $1, $3, title, description, state, start_date, due_date from milestones where id = $2 returning id`;

/**
 * Replaces, on moved issuables, the milestones of groups that are no longer above them by milestones of the
 * same title in their new project or group.
 */
@Injectable()
export class MovedMilestonesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly iids: InternalIdsService,
    private readonly links: MilestoneLinksService,
  ) {}

  onModuleInit(): void {
    this.events.on(MovedOutOfGroups, (event, tx) => this.part(event, tx));
  }

  private async part({ moved, groupIds }: MovedOutOfGroups, tx: Tx): Promise<void> {
    if (groupIds.length === 0) return;
    for (const left of await tx.query<LeftMilestone[]>(LEFT, [groupIds, moved.type, moved.id])) {
      const { project_id: projectId, id, title } = left;
      await lockTitle(tx, { projectId }, title);
      const [found] = await tx.query<{ id: number }[]>(FIND, [projectId, title]);
      await this.links.move(tx, [id], found?.id ?? (await this.copy(tx, projectId, id)), projectId);
    }
  }

  private async copy(tx: Tx, projectId: number, id: number): Promise<number> {
    const iid = await this.iids.next(tx, projectId, 'milestones');
    const [made] = await tx.query<{ id: number }[]>(COPY, [projectId, id, iid]);
    if (!made) throw new Error(`Milestone ${id} no longer exists`);
    return made.id;
  }
}
