import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import type { TokenOwner } from './token-owner.js';

/** Facts of a token for audit events. */
export interface AuditedToken {
  readonly id: number;
  readonly name: string;
  readonly impersonation: boolean;
}

/** Actions on a token, with the notice that its owner receives. */
const NEWS = { Created: 'token_created', Revoked: 'token_revoked', Rotated: 'token_replaced' } as const;

/** Audits actions on tokens in the same transaction, and notifies their owners. */
@Injectable()
export class TokenAudit {
  constructor(
    private readonly log: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /** Audits an action; `happened` starts the sentence, `reason` ends it. */
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    owner: TokenOwner,
    token: AuditedToken,
    happened: keyof typeof NEWS,
    reason = '',
  ): Promise<void> {
    const kind = token.impersonation ? 'impersonation token' : owner.tokenKind;
    const target = { type: 'PersonalAccessToken', id: token.id, details: token.name };
    await this.log.record(tx, author, owner.scope, target, {
      customMessage: `${happened} ${kind} with id ${token.id}${reason}`,
    });
    // Users of the command line control the whole installation anyway.
    const isOfOperator = author === null && happened === 'Created';
    if (owner.scope.type === 'User' && !token.impersonation && !isOfOperator)
      await this.events.publish(tx, new AccountNotice(owner.id, { kind: NEWS[happened], name: token.name }));
  }
}
