import { Injectable } from '@nestjs/common';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { randomToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, missingAttribute } from '#kernel/http/errors.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { PasswordResetRequested } from '../events/password-reset-requested.event.js';
import { columnsOf, limitsOfExternal } from './user-changes.js';
import { userWriteError } from './user-errors.js';
import type { NewUserParams as Attributes } from './users.params.js';
import { assertUserRules } from './user-rules.js';
import { UserUniquenessService } from './user-uniqueness.service.js';
import { auditScope, auditTarget } from '../user-audit.js';
import type { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';
import { AvatarUploadsService } from '#core/avatars/avatar-uploads.service.js';

/** Creates a user for an administrator or for the operator of the instance. */
@Injectable()
export class CreateUser {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly settings: SettingsService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
    private readonly avatars: AvatarUploadsService,
  ) {}

  /**
   * Creates the user; `author` is null for the operator.
   * @throws 400 if attributes are invalid, 409 if the address or username is taken
   */
  async run(author: AuditAuthor | null, attributes: Attributes): Promise<User> {
    const { reset_password: reset = false, force_random_password: random = false } = attributes;
    if (
      attributes.password === undefined &&
      attributes.reset_password === undefined &&
      attributes.force_random_password === undefined
    )
      throw missingAttribute('password');
    const isRandom = reset || random;
    const password = isRandom ? randomToken('', 64) : attributes.password;
    assertUserRules(Object.assign({}, attributes, { password: password ?? '' }), [attributes.email]);
    if (password === undefined) throw invalid({ password: ["can't be blank"] });
    const passwordDigest = await hashPassword(password);
    try {
      return await this.avatars.bring(attributes.avatar, (put) =>
        this.transactions.run(async (tx) => {
          const user = await this.insert(tx, author, attributes, passwordDigest);
          await put(tx, 'user', user.id);
          return user;
        }),
      );
    } catch (error) {
      throw userWriteError(error);
    }
  }

  private async insert(
    tx: Tx,
    author: AuditAuthor | null,
    attributes: Attributes,
    passwordDigest: string,
  ): Promise<User> {
    await this.uniqueness.assert(tx, attributes, 0);
    const { values } = this.settings;
    const isExternal = attributes.external ?? values.user_default_external;
    const user = await this.users.insert(tx, {
      username: attributes.username,
      name: attributes.name,
      email: attributes.email,
      external: isExternal,
      projectsLimit: values.default_projects_limit,
      canCreateGroup: values.can_create_group,
      ...(isExternal ? limitsOfExternal(attributes) : {}),
      ...columnsOf(attributes, []),
      passwordDigest,
      passwordChangedAt: new Date(),
      confirmedAt: attributes.skip_confirmation === false ? null : new Date(),
      createdById: author?.id ?? null,
    });
    await this.audit.record(tx, author, auditScope(user), auditTarget(user), { add: 'user' });
    if (user.admin)
      await this.audit.record(tx, author, auditScope(user), auditTarget(user), {
        change: 'admin status',
        from: false,
        to: true,
      });
    if (attributes.reset_password) await this.events.publish(tx, new PasswordResetRequested(user));
    return user;
  }
}
