import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { FirstUsesService, settledSql } from './first-uses.service.js';
import { TokenAudit } from '../token.audit.js';
import { findTokenOwner } from '../token-owner.js';

interface FamilyMember {
  id: number;
  user_id: number;
  name: string;
  impersonation: boolean;
}

const USED = `select coalesce(k.family_id, k.id) as "firstId", ${settledSql('k', 'updated_at')} as "usedAt"
  from personal_access_tokens k where k.id = $1 and k.revoked`;

const REVOKE_FAMILY = `with revoked as (update personal_access_tokens t
    set revoked = true, updated_at = date_trunc('milliseconds', clock_timestamp())
    where (t.family_id = $1 or t.id = $1) and not t.revoked
    returning t.id, t.user_id, t.name, t.impersonation)
  select * from revoked order by id`;

/** Chains of tokens created from each other by rotation. */
@Injectable()
export class TokenFamiliesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: TokenAudit,
    private readonly firstUses: FirstUsesService,
  ) {}

  /**
   * Handles the rotation of a revoked token: two parties know the secret, so all its successors are revoked.
   * A request that had started before the first rotation was committed has only lost a race, and revokes
   * nothing.
   */
  async revokeAfterReuse(tx: Tx, tokenId: number, author: AuditAuthor | null): Promise<void> {
    const [used] = await tx.query<{ firstId: number; usedAt: Date }[]>(USED, [tokenId]);
    if (!used || !this.firstUses.cameAgain('personal_access_tokens', tokenId, used.usedAt)) return;
    for (const token of await tx.query<FamilyMember[]>(REVOKE_FAMILY, [used.firstId])) {
      const owner = await findTokenOwner(tx, token.user_id);
      await this.audit.record(
        tx,
        author,
        owner,
        token,
        'Revoked',
        ': a token that it came from was rotated again',
      );
    }
  }

  /** Does the same in its own transaction, for a credential that the guards reject. */
  async revokeOfRefused(tokenId: number): Promise<void> {
    await this.transactions.run((tx) => this.revokeAfterReuse(tx, tokenId, null));
  }
}
