import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { conflict, forbidden } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { OWNED_ALONE } from '../owners.sql.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { UserUniquenessService } from '../changes/user-uniqueness.service.js';
import { isInternalType } from '../user-values.js';
import { UsersService } from '../users.service.js';

/** Serializes the removal of owners, like leaving a group: each must see that the other has gone. */
const LOCK_OWNED = `select 1 from namespaces where id in (
  select source_id from members where user_id = $1 and source_type = 'Namespace' and access_level = ${Role.Owner})
  order by id for no key update`;

/** Removes a user for an administrator: hides the account at once; a job does the rest. */
@Injectable()
export class RemoveUser {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Removes a user. @throws 404; 412; 403 for the last active administrator; 409 if the user is the only owner
   * of a group, unless `hard` also removes the group
   */
  async run(actor: Actor, id: number, hard: boolean, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run((tx) => this.schedule(tx, actor, id, hard, unmodified));
  }

  private async schedule(
    tx: Tx,
    actor: Actor,
    id: number,
    hard: boolean,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    // Also if it is another user: the actor may be a blocked administrator, by sudo, or be removed right now.
    await this.uniqueness.assertAdministratorRemains(tx, id);
    await tx.query(LOCK_OWNED, [id]);
    const user = await this.users.findForUpdate(tx, id);
    if (isInternalType(user.userType)) throw forbidden('An internal user cannot be removed');
    unmodified(user.updatedAt);
    if (!hard && (await tx.query<unknown[]>(OWNED_ALONE, [id])).length > 0)
      throw conflict('User cannot be removed while is the sole-owner of a group');
    await this.users.scheduleDeletion(tx, id, hard);
    await this.audit.record(tx, actor, auditScope(user), auditTarget(user), { remove: 'user' });
  }
}
