import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { INSTANCE_SCOPE, type AuditScope } from '#core/audit/audit-log.service.js';
import { RunnersTokenService, type RunnersTokenOwner } from '#core/groups/settings/runners-token.service.js';
import { RegistrationTokenService } from '#core/instance/settings/registration-token.service.js';
import { RunnerAudit } from '../runner.audit.js';

/** Replaces a registration token. */
@Injectable()
export class ResetRegistrationToken {
  constructor(
    private readonly transactions: Transactions,
    private readonly instance: RegistrationTokenService,
    private readonly owned: RunnersTokenService,
    private readonly audit: RunnerAudit,
  ) {}

  /** Returns the new token of a project, a group, or (null) the instance. */
  run(actor: Actor, owner: (RunnersTokenOwner & { readonly path: string }) | null): Promise<string> {
    const scope: AuditScope = owner ? { type: owner.kind, id: owner.id, path: owner.path } : INSTANCE_SCOPE;
    return this.transactions.run(async (tx) => {
      await this.audit.tokenReset(tx, actor, scope);
      return owner ? this.owned.reset(tx, owner) : this.instance.reset(tx);
    });
  }
}
