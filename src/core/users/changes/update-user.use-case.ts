import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import type { Actor } from '#kernel/access/caller.js';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { AccountChanged } from '../events/account-changed.event.js';
import { EmailAdded } from '../events/email-added.event.js';
import { auditScope, auditTarget } from '../user-audit.js';
import { columnsOf, limitsOfExternal } from './user-changes.js';
import { userWriteError } from './user-errors.js';
import type { UserUpdateParams as Attributes } from './users.params.js';
import { UserEmail } from '../addresses/user-email.entity.js';
import { UserRenamed } from '../events/user-renamed.event.js';
import { assertUserRules } from './user-rules.js';
import { UserUniquenessService } from './user-uniqueness.service.js';
import { User } from '../user.entity.js';
import { UsersService } from '../users.service.js';
import { AvatarUploadsService, type PutAvatar } from '#core/avatars/avatar-uploads.service.js';

/** Audited attributes with their descriptions. */
const AUDITED = {
  admin: 'admin status',
  external: 'external status',
  username: 'username',
  email: 'email address',
  name: 'name',
  canCreateGroup: 'right to create groups',
  projectsLimit: 'projects limit',
} as const satisfies Partial<Record<keyof User, string>>;

interface NewPassword {
  readonly digest: string;
  /** Whether only the user knows it. */
  readonly isOwn: boolean;
}

/** Updates a user for an administrator. */
@Injectable()
export class UpdateUser {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uniqueness: UserUniquenessService,
    private readonly events: DomainEvents,
    private readonly audit: AuditLogService,
    private readonly avatars: AvatarUploadsService,
  ) {}

  /**
   * Updates a user; `ownerId`: the owner of the credential, who differs from the actor under sudo, and knows the
   * new password.
   * @throws 404, 400 if attributes are invalid, 409 if the address or username is taken
   */
  async run(actor: Actor, attributes: Attributes, ownerId = actor.id): Promise<void> {
    const { password } = attributes;
    // Check first: an unknown user or an invalid attribute must not cost computing a digest.
    await this.transactions.run(async (tx) => this.check(tx, await find(tx, attributes.id), attributes));
    const isOwn = attributes.id === ownerId;
    const proof = password === undefined ? null : { digest: await hashPassword(password), isOwn };
    try {
      await this.avatars.bring(attributes.avatar, (put) =>
        this.transactions.run((tx) => this.update(tx, actor, attributes, proof, put)),
      );
    } catch (error) {
      throw userWriteError(error);
    }
  }

  private async check(tx: Tx, user: User, attributes: Attributes): Promise<void> {
    const further = await tx.findBy(UserEmail, { userId: user.id, confirmedAt: Not(IsNull()) });
    // An unconfirmed address may belong to another person: do not show it, or use it for commits
    // (CVE-2023-1204).
    const first = user.confirmedAt === null ? [] : [user.email, attributes.email ?? user.email];
    const own = [...first, ...further.map(({ email }) => email)];
    assertUserRules(attributes, own);
  }

  private async update(
    tx: Tx,
    actor: Actor,
    attributes: Attributes,
    proof: NewPassword | null,
    putAvatar: PutAvatar,
  ): Promise<void> {
    if (attributes.admin === false) await this.uniqueness.assertAdministratorRemains(tx, attributes.id);
    const former = await this.users.findForUpdate(tx, attributes.id);
    await this.check(tx, former, attributes);
    await this.uniqueness.assert(tx, attributes, former.id);
    await putAvatar(tx, 'user', former.id);
    const changes: Partial<User> = {
      ...(attributes.external === true && !former.external ? limitsOfExternal(attributes) : {}),
      ...columnsOf(attributes, former.identities),
      ...namesOf(attributes, former),
      ...(proof === null ? {} : passwordColumns(proof)),
    };
    if (Object.keys(changes).length === 0) return;
    const user = await tx.save(Object.assign(tx.create(User, former), changes));
    if (proof !== null) {
      await this.users.signOut(tx, user.id);
      await this.events.publish(tx, new AccountChanged(former, 'password'));
      await this.audit.record(tx, actor, auditScope(user), auditTarget(user), {
        customMessage: 'Changed password',
      });
    }
    if (user.email !== former.email)
      await this.events.publish(tx, new AccountChanged(former, 'primary address'));
    if (user.email !== former.email && user.confirmedAt === null)
      await this.events.publish(tx, new EmailAdded(user, user.email));
    if (user.username !== former.username || user.name !== former.name)
      await this.events.publish(tx, new UserRenamed(user, former.username));
    await this.recordChanges(tx, actor, former, user);
  }

  private async recordChanges(tx: Tx, actor: Actor, former: User, user: User): Promise<void> {
    for (const [property, change] of Object.entries(AUDITED)) {
      const [from, to] = [former[property as keyof User], user[property as keyof User]];
      if (from !== to)
        await this.audit.record(tx, actor, auditScope(user), auditTarget(user), { change, from, to });
    }
    for (const { provider, extern_uid: to } of user.identities) {
      const from = former.identities.find((one) => one.provider === provider)?.extern_uid ?? null;
      const change = `identity of ${provider}`;
      if (from !== to)
        await this.audit.record(tx, actor, auditScope(user), auditTarget(user), { change, from, to });
    }
  }
}

async function find(tx: Tx, id: number): Promise<User> {
  const user = await tx.findOneBy(User, { id, pendingDelete: false });
  if (!user) throw notFound('User');
  return user;
}

/** A new address also replaces the old one as the public and the commit address. */
function namesOf({ email, name, username }: Attributes, former: User): Partial<User> {
  const isSame = (other: string | null): boolean => other?.toLowerCase() === former.email.toLowerCase();
  return {
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
    ...(email === undefined ? {} : { email }),
    ...(email !== undefined && isSame(former.publicEmail) ? { publicEmail: email } : {}),
    ...(email !== undefined && isSame(former.commitEmail) ? { commitEmail: null } : {}),
  };
}

/** A password set by someone else must be changed at the next sign-in. */
function passwordColumns({ digest: passwordDigest, isOwn }: NewPassword): Partial<User> {
  const now = new Date();
  return {
    passwordDigest,
    passwordChangedAt: now,
    passwordExpiresAt: isOwn ? null : now,
    failedAttempts: 0,
    lockedAt: null,
  };
}
