import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { AuditLogService, type AuditAuthor } from '#core/audit/audit-log.service.js';
import { AccountNotice } from '#core/users/events/account-notice.event.js';
import type { TokenOwner } from './token-owner.js';

/** What an event says of the token. */
export interface AuditedToken {
  readonly id: number;
  readonly name: string;
  readonly impersonation: boolean;
}

/** What can happen to a token, and the news that its owner gets of it. */
const NEWS = { Created: 'token_created', Revoked: 'token_revoked', Rotated: 'token_replaced' } as const;

/** Records what happens to tokens, in the transaction in which it happens, and has those told whose own they are. */
@Injectable()
export class TokenAudit {
  constructor(
    private readonly log: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /** `happened` starts the sentence, `reason` ends it. */
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
    // Whoever makes tokens on the command line has the whole installation.
    const isOfOperator = author === null && happened === 'Created';
    if (owner.scope.type === 'User' && !token.impersonation && !isOfOperator)
      await this.events.publish(tx, new AccountNotice(owner.id, { kind: NEWS[happened], name: token.name }));
  }
}
