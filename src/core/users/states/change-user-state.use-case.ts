import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { decideState, type StateAction } from './user-states.js';
import { UserUniquenessService } from '../changes/user-uniqueness.service.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';

/** Blocks, bans, deactivates and approves users, and reverts this, for an administrator. */
@Injectable()
export class ChangeUserState {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Changes the state. @returns whether anything has changed @throws 404, and 403 or 409 if the state does
   * not allow it
   */
  async run(actor: Actor, id: number, action: StateAction): Promise<boolean> {
    return this.transactions.run((tx) => this.change(tx, actor, id, action));
  }

  private async change(tx: Tx, actor: Actor, id: number, action: StateAction): Promise<boolean> {
    const isRevoking = action === 'block' || action === 'ban' || action === 'deactivate';
    if (isRevoking && actor.id !== id) await this.uniqueness.assertAdministratorRemains(tx, id);
    const user = await this.users.findForUpdate(tx, id);
    const state = decideState(action, user, actor.id);
    if (state === null) return false;
    if (action === 'reject') {
      await this.users.scheduleDeletion(tx, id, false);
    } else {
      await tx.update(User, { id }, { state });
      if (state !== 'active') await this.users.signOut(tx, id);
    }
    await this.audit.record(tx, actor, auditScope(user), auditTarget(user), {
      change: `state (${action})`,
      from: user.state,
      to: action === 'reject' ? 'removed' : state,
    });
    return true;
  }
}
