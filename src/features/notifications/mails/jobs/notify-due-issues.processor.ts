import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { JsonObject } from '#kernel/queue/job-definition.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { FanOutNotificationJob } from './fan-out.job.js';
import { NotifyDueIssuesJob } from './notify-due-issues.job.js';

/** Issues per transaction. */
const BATCH = 500;

const DUE = `select i.id, i.project_id, (current_date + 1)::text as due from issues i join projects p on p.id = i.project_id
  where i.due_date = current_date + 1 and i.state = 'opened' and not p.archived and not p.pending_delete and i.id > $1 order by i.id limit ${BATCH}`;

/** Enqueues notifications for issues due tomorrow; a repeated run on the same day notifies no user twice. */
@Injectable()
export class NotifyDueIssuesProcessor extends JobProcessor {
  readonly job = NotifyDueIssuesJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process(_payload: JsonObject, { signal }: JobContext): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      signal.throwIfAborted();
      last = await this.batch(last);
    }
  }

  /** Processes a batch; returns the id after which to continue, null at the end. */
  private batch(after: number): Promise<number | null> {
    return this.transactions.run(async (tx) => {
      const issues = await tx.query<{ id: number; project_id: number; due: string }[]>(DUE, [after]);
      const payloads = issues.map(({ id, project_id: projectId, due }) => ({
        eventId: `due-${id}-${due}`,
        event: {
          kind: 'issue_due',
          target: { type: 'Issue', id },
          projectId,
          groupId: null,
          actorId: null,
        } as const,
      }));
      await this.jobs.enqueueAll(tx, FanOutNotificationJob, payloads);
      return issues.length < BATCH ? null : (issues.at(-1)?.id ?? null);
    });
  }
}
