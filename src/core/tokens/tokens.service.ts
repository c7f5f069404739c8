import { Injectable } from '@nestjs/common';
import { ADMIN_SCOPES, type Scope } from '#kernel/access/roles.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { violatedConstraint, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { conflict, invalid } from '#kernel/http/errors.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { BotTokenRevoked } from './events/bot-token-revoked.event.js';
import { endedTogether, NOTHING_ENDED, type EndedWithToken } from './events/ended-with-token.js';
import { PersonalAccessToken } from './personal-access-token.entity.js';
import { TokenAudit } from './token.audit.js';
import { daysFromToday } from './expiry/token-dates.js';
import { findTokenOwner, type TokenOwner } from './token-owner.js';

/** A token to be. */
export interface NewToken {
  readonly userId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly impersonation?: boolean;
  /** First token of the rotations that led to this one. */
  readonly familyId?: number;
  /** A secret chosen by the operator; generated where none is given. */
  readonly token?: string;
}

/** A token just made, with the secret that nobody will see again. */
export interface IssuedToken {
  readonly row: PersonalAccessToken;
  readonly token: string;
}

/** Tokens that act as a user: making and revoking them. Rotation is in `rotate-token.ts`. */
@Injectable()
export class TokensService {
  constructor(
    private readonly settings: SettingsService,
    private readonly audit: TokenAudit,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Makes a token; `author` is null for the operator of the instance.
   * @throws 404 without such a user, 400 for a scope of administrators for somebody else or too long a life
   */
  async create(tx: Tx, fields: NewToken, author: AuditAuthor | null = null): Promise<IssuedToken> {
    const owner = await findTokenOwner(tx, fields.userId);
    const issued = await this.insert(tx, owner, fields);
    await this.audit.record(tx, author, owner, issued.row, 'Created');
    return issued;
  }

  /** Makes a token without recording it: for what is recorded as something else. */
  async insert(tx: Tx, owner: TokenOwner, fields: NewToken): Promise<IssuedToken> {
    const refused = fields.scopes.find((scope) => !owner.admin && ADMIN_SCOPES.has(scope));
    if (refused) throw invalid({ scopes: [`can only contain ${refused} for an administrator`] });
    const token = fields.token ?? randomToken(this.settings.values.personal_access_token_prefix);
    const row = tx.create(PersonalAccessToken, {
      userId: owner.id,
      name: fields.name,
      digest: digestToken(token),
      scopes: [...new Set(fields.scopes)],
      impersonation: fields.impersonation ?? false,
      expiresAt: this.limitLife(fields.expiresAt),
      familyId: fields.familyId ?? null,
    });
    try {
      const { id } = await tx.save(row);
      return { row: await tx.findOneByOrFail(PersonalAccessToken, { id }), token };
    } catch (error) {
      if (violatedConstraint(error) === 'personal_access_tokens_digest')
        throw conflict('Token has already been taken');
      throw error;
    }
  }

  /** The row of a token, locked for a change, or null. */
  async findForUpdate(tx: Tx, id: number): Promise<PersonalAccessToken | null> {
    return tx.findOne(PersonalAccessToken, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Makes a locked token useless from the next request on, and tells what ended with it; a second time changes nothing. */
  async revoke(tx: Tx, token: PersonalAccessToken, author: AuditAuthor | null): Promise<EndedWithToken> {
    if (token.revoked) return NOTHING_ENDED;
    await this.markRevoked(tx, token.id);
    const owner = await findTokenOwner(tx, token.userId);
    await this.audit.record(tx, author, owner, token, 'Revoked');
    const isOfBot = owner.scope.type !== 'User' && !token.impersonation;
    if (!isOfBot || author === null || author.id === owner.id) return NOTHING_ENDED;
    return this.revokeMadeBy(tx, owner.id, author);
  }

  /** Has all end that a bot made, because a person has revoked its token. */
  async revokeMadeBy(tx: Tx, botId: number, author: AuditAuthor): Promise<EndedWithToken> {
    const revoked = new BotTokenRevoked(botId, author);
    await this.events.publish(tx, revoked);
    return revoked.ended;
  }

  /** Revokes everything that a user has, and tells what ended with it. */
  async revokeAllOf(tx: Tx, userId: number, author: AuditAuthor | null): Promise<EndedWithToken> {
    const tokens = await tx.find(PersonalAccessToken, {
      where: { userId, revoked: false },
      order: { id: 'asc' },
      lock: { mode: 'pessimistic_write' },
    });
    let ended = NOTHING_ENDED;
    for (const token of tokens) ended = endedTogether(ended, await this.revoke(tx, token, author));
    return ended;
  }

  /** Revokes without recording it; the time is that of the statement, so that later requests can tell. */
  async markRevoked(tx: Tx, id: number): Promise<void> {
    await tx.query(
      `update personal_access_tokens set revoked = true, updated_at = date_trunc('milliseconds', clock_timestamp()) where id = $1`,
      [id],
    );
  }

  /** The last day on which a new token may expire; null where the instance sets no limit. */
  get lastDay(): string | null {
    const limit = this.settings.values.max_personal_access_token_lifetime;
    return limit === null ? null : daysFromToday(limit);
  }

  private limitLife(expiresAt: string | null): string | null {
    const last = this.lastDay;
    if (last !== null && expiresAt !== null && expiresAt > last)
      throw invalid({ expires_at: [`can't be later than ${last}`] });
    return expiresAt ?? last;
  }
}
