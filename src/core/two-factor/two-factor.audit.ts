import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { auditScope, auditTarget } from '#core/users/user-audit.js';
import type { User } from '#core/users/user.entity.js';

/** Audits actions on second factors, in the same transaction. */
@Injectable()
export class TwoFactorAudit {
  constructor(private readonly log: AuditLogService) {}

  /** Audits an action; `author` is null if the user has not signed in yet. */
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    user: Pick<User, 'id' | 'username' | 'name'>,
    customMessage: string,
  ): Promise<void> {
    await this.log.record(tx, author, auditScope(user), auditTarget(user), { customMessage });
  }
}
