import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '#kernel/access/caller.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { AuditLogService, type AuditAuthor, type AuditScope } from '#core/audit/audit-log.service.js';
import { findTokenOwner } from '#core/tokens/token-owner.js';
import { DeployToken } from './deploy-token.entity.js';
import type { DeployTokenRow } from './deploy-token.record.js';
import type { CreateDeployTokenParams } from './deploy-tokens.params.js';
import type { TokenContainer } from '../token-container.js';

/** Prefix of deploy tokens that git clients know. */
const PREFIX = 'gldt-';

/** Reason in the audit event of a token that was revoked indirectly. */
const MADE_BY_BOT = ': the token of the bot that made it was revoked';

const COLUMNS = 'd.id, d.name, d.username, d.expires_at as "expiresAt", d.scopes, d.revoked';

const LIST: ListShape = { kind: 'DeployToken', select: COLUMNS, from: 'deploy_tokens d', key: 'd.id' };

const ACTIVE = 'not d.revoked and (d.expires_at is null or d.expires_at > now())';

/** Manages deploy tokens, which only git uses. */
@Injectable()
export class DeployTokensService {
  constructor(
    private readonly transactions: Transactions,
    private readonly database: ReadDatabase,
    private readonly audit: AuditLogService,
  ) {}

  /** Lists the tokens of a project or group, or of the instance. */
  list(container: TokenContainer | null, active: boolean | undefined): ListQuery<DeployTokenRow> {
    const query = new ListQuery<DeployTokenRow>(LIST);
    if (container)
      query.of('d.source_type', container.sourceType, 'text').where('d.source_id = ?', container.sourceId);
    if (active !== undefined) query.where(active ? ACTIVE : `not (${ACTIVE})`);
    return query;
  }

  /** Returns a token of a project or group. @throws 404 */
  async find({ sourceType, sourceId }: TokenContainer, id: number): Promise<DeployTokenRow> {
    const row = await this.database.one<DeployTokenRow>(
      `select ${COLUMNS} from deploy_tokens d where d.id = $1 and d.source_type = $2 and d.source_id = $3`,
      [id, sourceType, sourceId],
    );
    if (!row) throw notFound('Deploy Token');
    return row;
  }

  /** Creates a token; its secret is shown only now. */
  async create(
    container: TokenContainer,
    actor: Actor,
    params: CreateDeployTokenParams,
  ): Promise<{ row: DeployTokenRow; token: string }> {
    const token = randomToken(PREFIX);
    const row = await this.transactions.run(async (tx) => {
      const { id } = await tx.save(
        tx.create(DeployToken, {
          sourceType: container.sourceType,
          sourceId: container.sourceId,
          creatorId: actor.id,
          name: params.name,
          username: params.username ?? '',
          digest: digestToken(token),
          scopes: [...new Set(params.scopes)],
          expiresAt: params.expires_at ?? null,
        }),
      );
      if (!params.username) await tx.update(DeployToken, { id }, { username: `gitlab+deploy-token-${id}` });
      const made = await tx.findOneByOrFail(DeployToken, { id });
      await this.record(tx, container.scope, actor, made, 'Created');
      return made;
    });
    return { row, token };
  }

  /** Removes a token with effect from its next use. @throws 404, 412 */
  async remove(
    container: TokenContainer,
    actor: Actor,
    id: number,
    unmodified: UnmodifiedCheck,
  ): Promise<void> {
    const { sourceType, sourceId } = container;
    await this.transactions.run(async (tx) => {
      const token = await tx.findOne(DeployToken, {
        where: { id, sourceType, sourceId },
        lock: { mode: 'pessimistic_write' },
      });
      if (!token) throw notFound('Deploy Token');
      unmodified(token.updatedAt);
      await tx.delete(DeployToken, { id });
      await this.record(tx, container.scope, actor, token, 'Removed');
    });
  }

  /** Revokes all tokens that a bot has created, after its own token was revoked; returns their number. */
  async revokeOf(tx: Tx, botId: number, author: AuditAuthor): Promise<number> {
    const made = await tx.find(DeployToken, {
      where: { creatorId: botId, revoked: false },
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    if (made.length === 0) return 0;
    const { scope } = await findTokenOwner(tx, botId);
    await tx.update(DeployToken, { id: In(made.map(({ id }) => id)) }, { revoked: true });
    for (const token of made) await this.record(tx, scope, author, token, 'Revoked', MADE_BY_BOT);
    return made.length;
  }

  private record(
    tx: Tx,
    scope: AuditScope,
    author: AuditAuthor,
    token: DeployToken,
    happened: string,
    reason = '',
  ): Promise<void> {
    const target = { type: 'DeployToken', id: token.id, details: token.name };
    return this.audit.record(tx, author, scope, target, {
      customMessage: `${happened} deploy token with id ${token.id}${reason}`,
    });
  }
}
