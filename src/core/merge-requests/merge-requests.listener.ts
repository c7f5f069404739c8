import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Not } from 'typeorm';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';
import { UserCountersRegistry } from '#core/users/user-counters.registry.js';
import { MergeRequestStateService } from './merge-request-state.service.js';
import { MergeRequest } from './merge-request.entity.js';

/** SQL conditions: in a project, or in any project below a group. */
const PLACE = {
  Project: 'm.project_id = $2',
  Namespace: `m.project_id in (select p.id from projects p join namespaces n on n.id = p.namespace_id
    where n.traversal_ids @> array[$2::bigint])`,
} as const;

const TABLES = ['merge_request_assignees', 'merge_request_reviewers'] as const;

const count = (table: (typeof TABLES)[number]): string => `select count(*)::int as total from ${table} x
  join merge_requests m on m.id = x.merge_request_id and m.state = 'opened'
  join projects p on p.id = m.project_id and not p.archived and not p.pending_delete where x.user_id = $1`;

/** Open merge requests from a removed fork. */
const UNMERGEABLE = `update merge_requests set merge_status = 'cannot_be_merged'
  where source_project_id = $1 and project_id <> $1 and state = 'opened'`;

/** Updates merge requests when members or forks are removed, and counts open merge requests of a user. */
@Injectable()
export class MergeRequestsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly counters: UserCountersRegistry,
    private readonly database: ReadDatabase,
    private readonly states: MergeRequestStateService,
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
    this.events.on(ProjectDeleted, ({ projectId }, tx) => this.closeOfFork(tx, projectId));
    // The former name, which v4 clients still read.
    this.counters.register('merge_requests', (userId) => this.total(TABLES[0], userId));
    this.counters.register('assigned_merge_requests', (userId) => this.total(TABLES[0], userId));
    this.counters.register('review_requested_merge_requests', (userId) => this.total(TABLES[1], userId));
  }

  /** The commits of a removed fork are lost, so its merge requests can no longer be merged. */
  private async closeOfFork(tx: Tx, sourceProjectId: number): Promise<void> {
    const open = await tx.find(MergeRequest, {
      where: { sourceProjectId, projectId: Not(sourceProjectId), state: 'opened' },
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    if (open.length > 0) await tx.query(UNMERGEABLE, [sourceProjectId]);
    for (const one of open) await this.states.close(tx, one, null);
  }

  private async total(table: (typeof TABLES)[number], userId: number): Promise<number> {
    return (await this.database.always<{ total: number }>(count(table), [userId])).total;
  }
}
