import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { auditScope, auditTarget } from '#core/users/user-audit.js';
import type { User } from '#core/users/user.entity.js';

/** Records what happens to second factors, in the transaction in which it happens. */
@Injectable()
export class TwoFactorAudit {
  constructor(private readonly log: AuditLogService) {}

  /** `author` is null for somebody who has not signed in yet. */
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    user: Pick<User, 'id' | 'username' | 'name'>,
    customMessage: string,
  ): Promise<void> {
    await this.log.record(tx, author, auditScope(user), auditTarget(user), { customMessage });
  }
}
