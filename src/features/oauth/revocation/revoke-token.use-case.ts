import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { OauthAudit } from '#core/oauth-tokens/oauth.audit.js';
import { OauthTokenRevocationService } from '#core/oauth-tokens/oauth-token-revocation.service.js';
import type { RevokedTokenRow } from './revoked-tokens.queries.js';

/** Revokes a token for its client. */
@Injectable()
export class RevokeToken {
  constructor(
    private readonly transactions: Transactions,
    private readonly revocations: OauthTokenRevocationService,
    private readonly audit: OauthAudit,
  ) {}

  /**
   * Revokes a valid pair with everything refreshed from it since. A pair that already has a successor leaves
   * that unchanged: clients clean up after a refresh.
   */
  async run(token: RevokedTokenRow): Promise<void> {
    await this.transactions.run(async (tx) => {
      const total = token.isAlive
        ? await this.revocations.family(tx, token.firstId)
        : await this.revocations.one(tx, token.id);
      if (total > 0) await this.audit.recordToken(tx, null, token, 'Revoked');
    });
  }
}
