import { Injectable } from '@nestjs/common';
import type { Credential } from '#kernel/access/caller.js';
import { assertCovers } from '#kernel/access/credential-bounds.js';
import { ADMIN_SCOPES } from '#kernel/access/roles.js';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest } from '#kernel/http/errors.js';
import type { AuditAuthor } from '#core/audit/audit-log.service.js';
import { FirstUsesService } from './first-uses.service.js';
import { PersonalAccessToken } from '../personal-access-token.entity.js';
import { TokenAudit } from '../token.audit.js';
import { daysFromToday } from '../expiry/token-dates.js';
import { TokenFamiliesService } from './token-families.service.js';
import { findTokenOwner } from '../token-owner.js';
import { TokensService, type IssuedToken } from '../tokens.service.js';

/** Default lifetime of a rotated token. */
const DEFAULT_LIFE_DAYS = 7;

/** The user and credential that request a rotation. */
export interface Rotator {
  readonly author: AuditAuthor;
  readonly credential: Credential | null;
}

/** Replaces tokens by new ones with the same name and rights. */
@Injectable()
export class RotateToken {
  constructor(
    private readonly transactions: Transactions,
    private readonly tokens: TokensService,
    private readonly families: TokenFamiliesService,
    private readonly firstUses: FirstUsesService,
    private readonly audit: TokenAudit,
  ) {}

  /**
   * Revokes a token and creates its successor; of concurrent rotations one succeeds. `assertAllowed` throws
   * unless the caller may do it; it receives null for an unknown token.
   * @throws 400 if the token was already revoked; 403 if it has more rights than the credential of the
   * request
   */
  async run(
    { author, credential }: Rotator,
    id: number,
    expiresAt: string | null | undefined,
    assertAllowed: (token: PersonalAccessToken | null) => void,
  ): Promise<IssuedToken> {
    const issued = await this.transactions.run(async (tx) => {
      const token = await this.tokens.findForUpdate(tx, id);
      assertAllowed(token);
      if (!token || token.revoked) {
        // Respond after the commit, which must keep the revocations caused by the reuse.
        await this.families.revokeAfterReuse(tx, id, author);
        return null;
      }
      const owner = await findTokenOwner(tx, token.userId);
      const scopes = owner.admin ? token.scopes : token.scopes.filter((scope) => !ADMIN_SCOPES.has(scope));
      assertCovers(credential, scopes);
      await this.tokens.markRevoked(tx, id);
      const successor = await this.tokens.insert(tx, owner, {
        userId: token.userId,
        name: token.name,
        scopes,
        expiresAt: expiresAt ?? this.defaultExpiry(),
        impersonation: token.impersonation,
        familyId: token.familyId ?? token.id,
      });
      await this.audit.record(tx, author, owner, token, 'Rotated');
      return successor;
    });
    if (!issued) throw badRequest('400 Bad request - Token already revoked');
    await this.firstUses.settle('personal_access_tokens', id);
    return issued;
  }

  private defaultExpiry(): string {
    const day = daysFromToday(DEFAULT_LIFE_DAYS);
    const { lastDay } = this.tokens;
    return lastDay !== null && lastDay < day ? lastDay : day;
  }
}
