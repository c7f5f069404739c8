import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { AuditLogService } from './audit-log.service.js';

/** Audits all writes of administrators who act as another user (`decisions.md` 3, audit events). */
@Injectable()
export class SudoAudit {
  constructor(
    private readonly transactions: Transactions,
    private readonly log: AuditLogService,
  ) {}

  /** Audits a write; `route` is the template, such as `/api/v4/projects/:id`. */
  async record({ owner, actor }: Caller, method: string, route: string): Promise<void> {
    if (!owner || !actor) return;
    const target = { type: 'User', id: actor.id, details: actor.username };
    await this.transactions.run((tx) =>
      this.log.record(tx, owner, { type: 'User', id: actor.id, path: actor.username }, target, {
        customMessage: `acted as ${actor.username}: ${method} ${route}`,
      }),
    );
  }
}
