import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';

/** SQL conditions: in a project, or in all projects below a group. */
const UNASSIGN = {
  Project: `delete from alert_assignees s using alerts a where a.id = s.alert_id and s.user_id = $1 and a.project_id = $2`,
  Namespace: `delete from alert_assignees s using alerts a join projects p on p.id = a.project_id join namespaces n on n.id = p.namespace_id
    where a.id = s.alert_id and s.user_id = $1 and n.traversal_ids @> array[$2::bigint]`,
} as const;

/** Unassigns former members from alerts, if requested. */
@Injectable()
export class AlertsListener implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, async ({ userId, sourceType, sourceId, unassignIssuables }, tx) => {
      if (unassignIssuables) await tx.query(UNASSIGN[sourceType], [userId, sourceId]);
    });
  }
}
