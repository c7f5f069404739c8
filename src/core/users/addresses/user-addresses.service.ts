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

/**
 * Result of confirming an address: `gone` if the user no longer has it, `taken` if another user has confirmed
 * it.
 */
export type Confirmation = 'confirmed' | 'already' | 'gone' | 'taken';

/** Users who may sign in or recover their account by email. */
const ABLE = { state: In(['active', 'deactivated']), userType: 'human', pendingDelete: false } as const;

/** Manages the email addresses of a user: which are confirmed, and which is primary. */
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
   * Confirms exactly this address of the user. Of several users with the address, the first to confirm it
   * keeps it; after a change of the primary address the confirmation is void, because it was for another
   * address (CVE-2022-4037).
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
   * Makes a confirmed secondary address of the actor the primary one. The former one becomes secondary if it
   * is confirmed.
   * @throws 404, 400 if the address is not confirmed
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

  /** Returns whether the user has confirmed this address, primary or secondary. */
  async hasConfirmed(tx: Tx, user: User, address: string): Promise<boolean> {
    if (user.email === address) return user.confirmedAt !== null;
    const further = await tx.findOneBy(UserEmail, { userId: user.id, email: address });
    return further !== null && further.confirmedAt !== null;
  }

  /**
   * Returns the person who may sign in, has confirmed the address (primary or secondary, case-insensitive),
   * and has a confirmed primary address; or null.
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

  /** Returns the person with this id, if the account is usable. */
  async ableOrNull(tx: Tx, id: number): Promise<User | null> {
    return tx.findOneBy(User, { ...ABLE, id });
  }

  /** Returns the person with this unconfirmed primary address, or null. */
  async newcomerOrNull(tx: Tx, address: string): Promise<User | null> {
    const [row] = await tx.query<{ id: number }[]>(
      `select id from users where lower(email) = lower($1) and confirmed_at is null and user_type = 'human'
         and not pending_delete`,
      [address],
    );
    return row ? tx.findOneBy(User, { id: row.id }) : null;
  }
}
