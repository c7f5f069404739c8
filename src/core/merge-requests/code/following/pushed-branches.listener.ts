import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { branchOf } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { FollowBranchesJob } from './follow-branches.job.js';

/** Branches per job. */
const AT_ONCE = 500;

/** Whether the project, or the source of a fork, has any open merge request: most pushes need no more. */
const ANY_OPEN = `select exists (select 1 from merge_requests where project_id = $1 and state in ('opened', 'locked'))
  or exists (select 1 from merge_requests where source_project_id = $1 and state in ('opened', 'locked')) as found`;

/** Updates merge requests after pushes: the push itself only checks whether there are any. */
@Injectable()
export class PushedBranchesListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (event, tx) => this.note(event, tx));
  }

  private async note({ repository, userId, changes }: RefsPushed, tx: Tx): Promise<void> {
    if (repository.ownerType !== 'Project' || repository.kind !== 'code') return;
    const projectId = repository.ownerId;
    const branches = changes.flatMap((change) => {
      const name = branchOf(change);
      return name === null ? [] : [{ name, sha: change.after }];
    });
    if (branches.length === 0) return;
    const [any] = await tx.query<[{ found: boolean }]>(ANY_OPEN, [projectId]);
    if (!any.found) return;
    const jobs = [];
    for (let at = 0; at < branches.length; at += AT_ONCE)
      jobs.push({ projectId, branches: branches.slice(at, at + AT_ONCE), userId });
    await this.jobs.enqueueAll(tx, FollowBranchesJob, jobs);
  }
}
