import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, notFound, type HttpError } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { AccountNotice } from '../events/account-notice.event.js';
import { EmailAdded } from '../events/email-added.event.js';
import { auditScope } from '../user-audit.js';
import { UserEmail } from './user-email.entity.js';
import type { UserEmailRow } from './user-email.record.js';
import { emailProblem } from '../changes/user-rules.js';
import { UserUniquenessService } from '../changes/user-uniqueness.service.js';
import { UsersService } from '../users.service.js';

const COLUMNS = 'e.id, e.email, e.confirmed_at';
const SHAPE: ListShape = { kind: 'Email', select: COLUMNS, from: 'user_emails e', key: 'e.id' };

const NO_LONGER_SHOWN = `update users set
    public_email = case when lower(public_email) = lower($2) then '' else public_email end,
    commit_email = case when lower(commit_email) = lower($2) then null else commit_email end
  where id = $1 and lower($2) in (lower(public_email), lower(commit_email))`;

/** Limit of secondary addresses of a user: the page shows all of them. */
const MAX_ADDRESSES = 100;

const TAKEN = (): HttpError => invalid({ email: ['has already been taken'] });

/**
 * Manages secondary email addresses of users. Several users may add an address; the first to confirm it keeps
 * it.
 */
@Injectable()
export class UserEmailsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  list(userId: number): ListQuery<UserEmailRow> {
    return new ListQuery<UserEmailRow>(SHAPE).of('e.user_id', userId);
  }

  /** Returns all secondary addresses of a user, oldest first. */
  async all(userId: number): Promise<UserEmailRow[]> {
    const text = `select ${COLUMNS} from user_emails e where e.user_id = $1 order by e.id`;
    return this.database.short<UserEmailRow>(text, [userId]);
  }

  /** Returns an address. @throws 404 */
  async find(userId: number, emailId: number): Promise<UserEmailRow> {
    const text = `select ${COLUMNS} from user_emails e where e.user_id = $1 and e.id = $2`;
    const row = await this.database.one<UserEmailRow>(text, [userId, emailId]);
    if (!row) throw notFound('Email');
    return row;
  }

  /** Adds an address. @throws 404 if the user does not exist; 400 if the address is invalid or taken */
  async add(actor: Actor, userId: number, email: string, isConfirmed: boolean): Promise<UserEmailRow> {
    const problem = emailProblem(email);
    if (problem !== null) throw invalid({ email: [problem] });
    const id = await this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      if (await this.uniqueness.isEmailTaken(tx, email, null)) throw TAKEN();
      const own = await tx.findBy(UserEmail, { userId });
      if (own.some((one) => one.email.toLowerCase() === email.toLowerCase())) throw TAKEN();
      if (own.length >= MAX_ADDRESSES)
        throw invalid({ base: [`a user can have at most ${MAX_ADDRESSES} addresses`] });
      const confirmedAt = isConfirmed ? new Date() : null;
      const added = await tx.save(tx.create(UserEmail, { userId, email, confirmedAt }));
      const target = { type: 'Email', id: added.id, details: email };
      await this.audit.record(tx, actor, auditScope(user), target, { add: 'email' });
      await this.events.publish(tx, new AccountNotice(userId, { kind: 'email_added', address: email }));
      if (!isConfirmed) await this.events.publish(tx, new EmailAdded(user, email));
      return added.id;
    });
    return this.find(userId, id);
  }

  /** Removes an address. @throws 404, 412 */
  async remove(actor: Actor, userId: number, emailId: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      const email = await tx.findOneBy(UserEmail, { id: emailId, userId });
      if (!email) throw notFound('Email');
      unmodified(email.updatedAt);
      await tx.delete(UserEmail, { id: emailId });
      await tx.query(NO_LONGER_SHOWN, [userId, email.email]);
      const target = { type: 'Email', id: emailId, details: email.email };
      await this.audit.record(tx, actor, auditScope(user), target, { remove: 'email' });
    });
  }
}
