import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { AuditLog, type AuditAuthor } from '#core/audit/audit-log.js';
import type { TokenOwner } from './token-owner.js';

/** What an event says of the token. */
export interface AuditedToken {
  readonly id: number;
  readonly name: string;
  readonly impersonation: boolean;
}

/** Records what happens to tokens, in the transaction in which it happens. */
@Injectable()
export class TokenAudit {
  constructor(private readonly log: AuditLog) {}

  /** `happened` starts the sentence: "Created", "Revoked", "Rotated"; `reason` ends it. */
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    owner: TokenOwner,
    token: AuditedToken,
    happened: string,
    reason = '',
  ): Promise<void> {
    const kind = token.impersonation ? 'impersonation token' : owner.tokenKind;
    const target = { type: 'PersonalAccessToken', id: token.id, details: token.name };
    await this.log.record(tx, author, owner.scope, target, {
      customMessage: `${happened} ${kind} with id ${token.id}${reason}`,
    });
  }
}
