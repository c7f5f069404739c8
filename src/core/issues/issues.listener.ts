import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { ISSUE } from '#core/issuables/issuable-kind.js';
import { countOpenWork } from '#core/issuables/tallies/open-work.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';
import { UserCountersRegistry } from '#core/users/user-counters.registry.js';

/** Statements that unassign a user in a project, or in all projects below a group. */
const UNASSIGN = {
  Project: `delete from issue_assignees where user_id = $1 and project_id = $2`,
  Namespace: `delete from issue_assignees where user_id = $1 and project_id in (
    select p.id from projects p join namespaces n on n.id = p.namespace_id where n.traversal_ids @> array[$2::bigint])`,
} as const;

const ASSIGNEES = { table: 'issue_assignees', key: 'issue_id' } as const;

/** Unassigns removed members, and counts open issues of a user. */
@Injectable()
export class IssuesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly counters: UserCountersRegistry,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, async ({ userId, sourceType, sourceId, unassignIssuables }, tx) => {
      if (unassignIssuables) await tx.query(UNASSIGN[sourceType], [userId, sourceId]);
    });
    const assigned = { kind: ISSUE, link: ASSIGNEES, part: 'issues', least: Role.Guest } as const;
    this.counters.register('assigned_issues', (actor) => countOpenWork(this.database, actor, assigned));
  }
}
