import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { FirstUsesService } from '#core/tokens/rotation/first-uses.service.js';
import { OauthAudit } from '#core/oauth-tokens/oauth.audit.js';
import { OauthTokenRevocationService } from '#core/oauth-tokens/oauth-token-revocation.service.js';

/** User and application whose tokens are revoked. */
interface Owners {
  readonly userId: number;
  readonly application: { readonly id: number; readonly name: string };
}

const OWNERS = `select t.user_id as "userId", jsonb_build_object('id', a.id, 'name', a.name) as application
  from oauth_tokens t join oauth_applications a on a.id = t.application_id`;

/**
 * Handles the reuse of a code or a refresh token: two parties have it, so everything issued from it is
 * revoked (RFC 9700 4.14.2). A request that had started before the first use was committed has only lost a
 * race, and revokes nothing.
 */
@Injectable()
export class TokenReuseService {
  constructor(
    private readonly transactions: Transactions,
    private readonly revocations: OauthTokenRevocationService,
    private readonly audit: OauthAudit,
    private readonly firstUses: FirstUsesService,
  ) {}

  /** Handles the reuse of a code whose first use was committed at `usedAt`. */
  async ofCode(codeId: number, usedAt: Date): Promise<void> {
    if (!this.firstUses.cameAgain('oauth_grants', codeId, usedAt)) return;
    await this.transactions.run(async (tx) => {
      if ((await this.revocations.ofGrant(tx, codeId)) > 0)
        await this.record(tx, `${OWNERS} where t.grant_id = $1 limit 1`, codeId, 'its code');
    });
  }

  /**
   * Handles the reuse of a refresh token whose first use was committed at `usedAt`; `firstId`: the first of
   * its family.
   */
  async ofRefreshToken({ id, firstId }: { id: number; firstId: number }, usedAt: Date): Promise<void> {
    if (!this.firstUses.cameAgain('oauth_tokens', id, usedAt)) return;
    await this.transactions.run(async (tx) => {
      if ((await this.revocations.family(tx, firstId)) > 0)
        await this.record(
          tx,
          `${OWNERS} where t.id = $1 or t.family_id = $1 limit 1`,
          firstId,
          'a refresh token',
        );
    });
  }

  private async record(tx: Tx, text: string, id: number, what: string): Promise<void> {
    const [owners] = await tx.query<Owners[]>(text, [id]);
    if (!owners) return;
    const { userId, application } = owners;
    const message = `Revoked the tokens of OAuth application with id ${application.id}: ${what} was used again`;
    await this.audit.record(tx, null, userId, application, message);
  }
}
