import { Injectable } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden, missingAttribute } from '#kernel/http/errors.js';
import { AuditLogService, type AuditScope, type AuditTarget } from '#core/audit/audit-log.service.js';
import { frozenReason } from './freeze-status.js';

/** Lets Maintainers deploy in spite of a freeze, with a recorded reason. */
@Injectable()
export class FreezeOverridesService {
  constructor(private readonly audit: AuditLogService) {}

  /** Records the override. @throws 403 below Maintainer, 400 without a reason */
  async allow(
    tx: Tx,
    caller: Caller,
    until: number,
    reason: string | null,
    scope: AuditScope,
    target: AuditTarget,
  ): Promise<void> {
    if (caller.role < Role.Maintainer) throw forbidden(frozenReason(until));
    if (reason === null) throw missingAttribute('override_reason');
    await this.audit.record(tx, caller.actor, scope, target, {
      customMessage: `Deployed despite a freeze period: ${reason}`,
      eventName: 'freeze_period_overridden',
    });
  }
}
