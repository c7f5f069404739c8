import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { SshKey } from './ssh-key.entity.js';
import type { SshKeyRow } from './ssh-key.record.js';
import type { NewSshKeyParams } from './ssh-keys.params.js';
import { AccountNotice } from '../events/account-notice.event.js';
import { parseSshPublicKey } from './ssh-public-key.js';
import { auditScope } from '../user-audit.js';
import { UsersService } from '../users.service.js';

const COLUMNS = 'k.id, k.title, k.key, k.usage_type, k.expires_at, k.created_at';
const SHAPE: ListShape = { kind: 'Key', select: COLUMNS, from: 'ssh_keys k', key: 'k.id' };

/** Manages the public SSH keys of users. */
@Injectable()
export class SshKeysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly users: UsersService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  list(userId: number): ListQuery<SshKeyRow> {
    return new ListQuery<SshKeyRow>(SHAPE).of('k.user_id', userId);
  }

  /** Returns a key. @throws 404 */
  async find(userId: number, keyId: number): Promise<SshKeyRow> {
    const text = `select ${COLUMNS} from ssh_keys k where k.user_id = $1 and k.id = $2`;
    const row = await this.database.one<SshKeyRow>(text, [userId, keyId]);
    if (!row) throw notFound('Key');
    return row;
  }

  /** Adds a key. @throws 404 if the user does not exist; 400 if the key is invalid, expired or taken */
  async add(actor: Actor, userId: number, params: NewSshKeyParams): Promise<SshKeyRow> {
    const parsed = parseSshPublicKey(params.key);
    if (typeof parsed === 'string') throw invalid({ key: [parsed] });
    const expiresAt = params.expires_at ?? null;
    if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalid({ key: ['has expired'] });
    try {
      const id = await this.transactions.run(async (tx) => {
        const user = await this.users.findForUpdate(tx, userId);
        const key = await tx.save(
          tx.create(SshKey, {
            userId,
            title: params.title,
            key: parsed.line,
            fingerprintSha256: parsed.fingerprint,
            usageType: params.usage_type ?? 'auth_and_signing',
            expiresAt,
          }),
        );
        const target = { type: 'Key', id: key.id, details: params.title };
        await this.audit.record(tx, actor, auditScope(user), target, { add: 'SSH key' });
        const { title, fingerprintSha256: fingerprint } = key;
        await this.events.publish(tx, new AccountNotice(userId, { kind: 'key_added', title, fingerprint }));
        return key.id;
      });
      return await this.find(userId, id);
    } catch (error) {
      if (violatedConstraint(error) === 'ssh_keys_fingerprint')
        throw invalid({ fingerprint_sha256: ['has already been taken'] });
      throw error;
    }
  }

  /** Removes a key. @throws 404, 412 */
  async remove(actor: Actor, userId: number, keyId: number, unmodified: UnmodifiedCheck): Promise<void> {
    await this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      const key = await tx.findOneBy(SshKey, { id: keyId, userId });
      if (!key) throw notFound('Key');
      unmodified(key.updatedAt);
      await tx.delete(SshKey, { id: keyId });
      const target = { type: 'Key', id: keyId, details: key.title };
      await this.audit.record(tx, actor, auditScope(user), target, { remove: 'SSH key' });
    });
  }
}
