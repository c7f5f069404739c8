import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { digestToken } from '#kernel/crypto/tokens.js';
import type { Tx } from '#kernel/database/transactions.js';
import { randomHex } from './oauth-secrets.js';

/** An authorization of an application by a user. */
export interface NewGrant {
  readonly applicationId: number;
  readonly userId: number;
  /** As in the request. */
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** S256 challenge; null if the client sent none. */
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  /** When the user last authenticated. */
  readonly authTime: Date;
}

/** Authorization codes expire after ten minutes (RFC 6749 4.1.2). */
const LIFE_SECONDS = 600;

/** Creates authorization codes. `OauthTokensService.exchange` exchanges them. */
@Injectable()
export class GrantsService {
  /** Creates a code. @returns the code itself, which is never stored */
  async create(tx: Tx, grant: NewGrant): Promise<string> {
    const code = randomHex();
    await tx.query(
      `insert into oauth_grants (application_id, user_id, digest, redirect_uri, scopes, code_challenge, nonce, auth_time, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => ${LIFE_SECONDS}))`,
      [
        grant.applicationId,
        grant.userId,
        digestToken(code),
        grant.redirectUri,
        grant.scopes,
        grant.codeChallenge,
        grant.nonce,
        grant.authTime,
      ],
    );
    return code;
  }
}
