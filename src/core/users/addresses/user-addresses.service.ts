import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { AccountChanged } from '../events/account-changed.event.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { UserEmail } from './user-email.entity.js';
import { UserUniquenessService } from '../changes/user-uniqueness.service.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';

/** What came of confirming an address: `gone` is one that the user no longer has, `taken` one that another user confirmed. */
export type Confirmation = 'confirmed' | 'already' | 'gone' | 'taken';

/** Who may sign in, or come back by it. */
const ABLE = { state: In(['active', 'deactivated']), userType: 'human', pendingDelete: false } as const;

/** The addresses of one user, the first and the further ones: which are confirmed, and which is the first. */
@Injectable()
export class UserAddressesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Notes that the user reads mail to exactly this address. Of several users who claim one, the first to confirm it keeps it;
   * a change of the first address meanwhile makes the proof worthless, because it was for another one (CVE-2022-4037).
   */
  async confirm(tx: Tx, userId: number, address: string): Promise<Confirmation> {
    const user = await tx.findOne(User, {
      where: { id: userId, pendingDelete: false },
      lock: { mode: 'pessimistic_write' },
    });
    if (!user) return 'gone';
    const isFirst = user.email === address;
    const claim = isFirst ? user : await tx.findOneBy(UserEmail, { userId, email: address });
    if (!claim) return 'gone';
    if (claim.confirmedAt !== null) return 'already';
    if (await this.uniqueness.isEmailTaken(tx, address, userId)) return 'taken';
    await tx.update(isFirst ? User : UserEmail, { id: claim.id }, { confirmedAt: new Date() });
    const target = { type: 'Email', id: claim.id, details: address };
    await this.audit.record(tx, user, auditScope(user), target, { customMessage: 'Confirmed email' });
    return 'confirmed';
  }

  /**
   * Makes a further, confirmed address of the actor the first one. The former one stays as a further one if it is confirmed.
   * @throws 404, 400 for an address that is not confirmed
   */
  async makePrimary(actor: Actor, emailId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, actor.id);
      const further = await tx.findOneBy(UserEmail, { id: emailId, userId: actor.id });
      if (!further) throw notFound('Email');
      const { email, confirmedAt } = further;
      if (confirmedAt === null) throw invalid({ email: ['must be confirmed first'] });
      if (await this.uniqueness.isEmailTaken(tx, email, user.id))
        throw invalid({ email: ['has already been taken'] });
      if (user.confirmedAt === null) await tx.delete(UserEmail, { id: emailId });
      else await tx.update(UserEmail, { id: emailId }, { email: user.email, confirmedAt: user.confirmedAt });
      await tx.update(User, { id: user.id }, { email, confirmedAt });
      await this.events.publish(tx, new AccountChanged(user, 'primary address'));
      const change = { change: 'email address', from: user.email, to: email };
      await this.audit.record(tx, actor, auditScope(user), auditTarget(user), change);
    });
  }

  /** Whether the user has this address, confirmed, as the first or a further one. */
  async hasConfirmed(tx: Tx, user: User, address: string): Promise<boolean> {
    if (user.email === address) return user.confirmedAt !== null;
    const further = await tx.findOneBy(UserEmail, { userId: user.id, email: address });
    return further !== null && further.confirmedAt !== null;
  }

  /**
   * The person who may sign in and has confirmed the address, as the first or a further one, in any case of letters, and whose first
   * one is confirmed; or null.
   */
  async ownerOrNull(tx: Tx, address: string): Promise<User | null> {
    const [row] = await tx.query<{ id: number }[]>(
      `select id from users where lower(email) = lower($1) and confirmed_at is not null
       union all select user_id from user_emails where lower(email) = lower($1) and confirmed_at is not null limit 1`,
      [address],
    );
    const user = row && (await this.ableOrNull(tx, row.id));
    return user?.confirmedAt ? user : null;
  }

  /** The person of that id, unless the account is shut. */
  async ableOrNull(tx: Tx, id: number): Promise<User | null> {
    return tx.findOneBy(User, { ...ABLE, id });
  }

  /** The person whose first address this is and who has not confirmed it yet, or null. */
  async newcomerOrNull(tx: Tx, address: string): Promise<User | null> {
    const [row] = await tx.query<{ id: number }[]>(
      `select id from users where lower(email) = lower($1) and confirmed_at is null and user_type = 'human'
         and not pending_delete`,
      [address],
    );
    return row ? tx.findOneBy(User, { id: row.id }) : null;
  }
}
