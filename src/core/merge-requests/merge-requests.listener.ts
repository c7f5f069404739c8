import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';
import { UserCounters } from '#core/users/user-counters.js';

/** Of a project, or of all projects anywhere below a group. */
const PLACE = {
  Project: 'm.project_id = $2',
  Namespace: `m.project_id in (select p.id from projects p join namespaces n on n.id = p.namespace_id
    where n.traversal_ids @> array[$2::bigint])`,
} as const;

const TABLES = ['merge_request_assignees', 'merge_request_reviewers'] as const;

const count = (table: (typeof TABLES)[number]): string => `select count(*)::int as total from ${table} x
  join merge_requests m on m.id = x.merge_request_id and m.state = 'opened'
  join projects p on p.id = m.project_id and not p.archived and not p.pending_delete where x.user_id = $1`;

/** Follows what happens to members, and counts what is open for a user. */
@Injectable()
export class MergeRequestsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly counters: UserCounters,
    private readonly database: ReadDatabase,
  ) {}

  onModuleInit(): void {
    this.events.on(MemberRemoved, async ({ userId, sourceType, sourceId, unassignIssuables }, tx) => {
      if (!unassignIssuables) return;
      for (const table of TABLES)
        await tx.query(
          `delete from ${table} x using merge_requests m where m.id = x.merge_request_id and x.user_id = $1 and ${PLACE[sourceType]}`,
          [userId, sourceId],
        );
    });
    // The older name, which v4 clients still read.
    this.counters.register('merge_requests', (userId) => this.total(TABLES[0], userId));
    this.counters.register('assigned_merge_requests', (userId) => this.total(TABLES[0], userId));
    this.counters.register('review_requested_merge_requests', (userId) => this.total(TABLES[1], userId));
  }

  private async total(table: (typeof TABLES)[number], userId: number): Promise<number> {
    return (await this.database.always<{ total: number }>(count(table), [userId])).total;
  }
}
