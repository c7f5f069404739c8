import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import {
  AuditLogService,
  INSTANCE_SCOPE,
  type AuditAuthor,
  type AuditScope,
} from '#core/audit/audit-log.service.js';

/** Facts of an application for audit events. */
export interface AuditedApplication {
  readonly id: number;
  readonly name: string;
}

/** Audits actions on applications and authorizations, in the same transaction. */
@Injectable()
export class OauthAudit {
  constructor(private readonly log: AuditLogService) {}

  /**
   * Audits an event in the scope of the user with this id, or of the instance for null; `author` is null for
   * anonymous callers.
   */
  async record(
    tx: Tx,
    author: AuditAuthor | null,
    userId: number | null,
    application: AuditedApplication,
    customMessage: string,
  ): Promise<void> {
    const scope = userId === null ? INSTANCE_SCOPE : await userScope(tx, userId);
    const target = { type: 'OauthApplication', id: application.id, details: application.name };
    await this.log.record(tx, author, scope, target, { customMessage });
  }

  /**
   * Audits an event about a pair of tokens in the scope of its user; `applicationName` is null if no client
   * requested it.
   */
  async recordToken(
    tx: Tx,
    author: AuditAuthor | null,
    token: { readonly id: number; readonly userId: number; readonly applicationName: string | null },
    happened: string,
  ): Promise<void> {
    const target = { type: 'OauthToken', id: token.id, details: token.applicationName ?? '' };
    await this.log.record(tx, author, await userScope(tx, token.userId), target, {
      customMessage: `${happened} OAuth token with id ${token.id}`,
    });
  }
}

async function userScope(tx: Tx, id: number): Promise<AuditScope> {
  const [row] = await tx.query<{ username: string }[]>('select username from users where id = $1', [id]);
  return { type: 'User', id, path: row?.username ?? '' };
}
