import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Links } from '#kernel/http/links.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { textReferences } from '#core/notes/references/text-references.js';
import type { BroughtCommit } from '#core/repositories/pushes/brought-commits.js';
import { branchOf, NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { ReadCommitsJob } from './read-commits.job.js';

/** A push of more branches is a mirror, whose other commits are not read. */
const MAX_BRANCHES = 20;

/** Limit of characters of messages examined while the push waits. */
const MAX_TEXT = 32 * 1024;

/** Enqueues reading the commits of pushes to branches of projects. */
@Injectable()
export class PushedCommitsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly links: Links,
  ) {}

  onModuleInit(): void {
    this.events.on(RefsPushed, (event, tx) => this.note(event, tx));
  }

  private async note({ repository, userId, changes, brought }: RefsPushed, tx: Tx): Promise<void> {
    const { ownerType, ownerId: projectId, kind } = repository;
    if (ownerType !== 'Project' || kind !== 'code' || userId === null) return;
    const pushed = changes.flatMap((change) => {
      const branch = branchOf(change);
      const { before, after } = change;
      if (branch === null || after === NO_OBJECT || this.namesNothing(brought.lineOf(change))) return [];
      return [{ projectId, branch, before, after, userId }];
    });
    await this.jobs.enqueueAll(tx, ReadCommitsJob, pushed.slice(0, MAX_BRANCHES));
  }

  /** Returns whether it is already certain that the job has nothing to do. */
  private namesNothing(commits: readonly BroughtCommit[] | null): boolean {
    const messages = commits?.map(({ message }) => message) ?? [];
    if (messages.length === 0 || messages.join('').length > MAX_TEXT) return false;
    return messages.every((message) => textReferences(message, this.links.base).length === 0);
  }
}
