import { Injectable, type OnModuleInit } from '@nestjs/common';
import { In, Not } from 'typeorm';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { MERGE_REQUEST } from '#core/issuables/issuable-kind.js';
import { countOpenWork } from '#core/issuables/tallies/open-work.js';
import { MemberRemoved } from '#core/members/member-removed.event.js';
import { ProjectDeleted } from '#core/projects/deletion/project-deleted.event.js';
import { UserCountersRegistry } from '#core/users/user-counters.registry.js';
import { MergeRequestStateService } from './merge-request-state.service.js';
import { MergeRequest } from './merge-request.entity.js';

/** SQL conditions: in a project, or in any project below a group. */
const IN_CONTAINER = {
  Project: 'm.project_id = $2',
  Namespace: `m.project_id in (select p.id from projects p join namespaces n on n.id = p.namespace_id
    where n.traversal_ids @> array[$2::bigint])`,
} as const;

const TABLES = ['merge_request_assignees', 'merge_request_reviewers'] as const;

/** Open merge requests from a removed fork; those that are being merged may have all they need. */
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
          `delete from ${table} x using merge_requests m where m.id = x.merge_request_id and x.user_id = $1 and ${IN_CONTAINER[sourceType]}`,
          [userId, sourceId],
        );
    });
    this.events.on(ProjectDeleted, ({ projectId }, tx) => this.closeOfFork(tx, projectId));
    // The former name, which v4 clients still read.
    this.counters.register('merge_requests', (actor) => this.total(TABLES[0], actor));
    this.counters.register('assigned_merge_requests', (actor) => this.total(TABLES[0], actor));
    this.counters.register('review_requested_merge_requests', (actor) => this.total(TABLES[1], actor));
  }

  /**
   * The commits of a removed fork are lost, so its merge requests can no longer be merged. One that is being
   * merged waits here for the fork to be gone: should its merge fail, it is closed then.
   */
  private async closeOfFork(tx: Tx, sourceProjectId: number): Promise<void> {
    const open = await tx.find(MergeRequest, {
      where: { sourceProjectId, projectId: Not(sourceProjectId), state: In(['opened', 'locked']) },
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    if (open.length > 0) await tx.query(UNMERGEABLE, [sourceProjectId]);
    for (const one of open) await this.states.close(tx, one, null);
  }

  private total(table: (typeof TABLES)[number], actor: Actor): Promise<number> {
    const link = { table, key: 'merge_request_id' };
    const work = { kind: MERGE_REQUEST, link, part: 'merge_requests', least: Role.Reporter } as const;
    return countOpenWork(this.database, actor, work);
  }
}
