import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { definedQueues } from '#kernel/queue/job-definition.js';
import { JobConsole } from '#kernel/queue/console/job-console.js';
import { AuditLogService, INSTANCE_SCOPE, type AuditAuthor } from '#core/audit/audit-log.service.js';

/** Actions of administrators on background jobs and queues; each is audited. */
@Injectable()
export class BackgroundJobsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly console: JobConsole,
    private readonly audit: AuditLogService,
  ) {}

  /** Runs a failed job again, or a job waiting for a retry at once; returns its name. @throws 404 */
  retry(author: AuditAuthor, id: number): Promise<string> {
    return this.change(author, id, 'Retried', (tx) => this.console.retry(tx, id));
  }

  /** Removes a failed job; returns its name. @throws 404 */
  discard(author: AuditAuthor, id: number): Promise<string> {
    return this.change(author, id, 'Discarded', (tx) => this.console.discard(tx, id));
  }

  /** Pauses a queue, so that its jobs do not start; false if it was paused already. @throws 404 */
  pause(author: AuditAuthor, queue: string): Promise<boolean> {
    return this.changeQueue(author, queue, 'Paused', (tx) => this.console.pause(tx, queue));
  }

  /** Resumes a queue; false if it was not paused. @throws 404 */
  resume(author: AuditAuthor, queue: string): Promise<boolean> {
    return this.changeQueue(author, queue, 'Resumed', (tx) => this.console.resume(tx, queue));
  }

  private change(
    author: AuditAuthor,
    id: number,
    done: string,
    act: (tx: Tx) => Promise<string | null>,
  ): Promise<string> {
    return this.transactions.run(async (tx) => {
      const name = await act(tx);
      if (name === null) throw notFound('Background Job');
      const target = { type: 'BackgroundJob', id, details: name };
      const customMessage = `${done} background job ${name}`;
      await this.audit.record(tx, author, INSTANCE_SCOPE, target, { customMessage });
      return name;
    });
  }

  private changeQueue(
    author: AuditAuthor,
    queue: string,
    done: string,
    act: (tx: Tx) => Promise<boolean>,
  ): Promise<boolean> {
    if (!definedQueues().includes(queue)) return Promise.reject(notFound('Queue'));
    return this.transactions.run(async (tx) => {
      const hasChanged = await act(tx);
      const target = { type: 'BackgroundQueue', id: queue, details: queue };
      const customMessage = `${done} background queue ${queue}`;
      if (hasChanged) await this.audit.record(tx, author, INSTANCE_SCOPE, target, { customMessage });
      return hasChanged;
    });
  }
}
