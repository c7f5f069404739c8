import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Scope } from '#kernel/access/roles.js';

/**
 * Revokes pairs of tokens with effect from the next request. Pairs that were already replaced are marked too,
 * which ends their grace period.
 */
@Injectable()
export class OauthTokenRevocationService {
  /** Revokes one pair. */
  async one(tx: Tx, id: number): Promise<number> {
    return this.where(tx, 'id = $1', [id]);
  }

  /** Revokes all pairs refreshed from the same first one. */
  async family(tx: Tx, firstId: number): Promise<number> {
    return this.where(tx, '(id = $1 or family_id = $1)', [firstId]);
  }

  /** Revokes all pairs from a code. */
  async ofGrant(tx: Tx, grantId: number): Promise<number> {
    return this.where(tx, 'grant_id = $1', [grantId]);
  }

  /** Revokes everything that a user has granted an application, including codes not exchanged yet. */
  async ofApplicationAndUser(tx: Tx, applicationId: number, userId: number): Promise<number> {
    // Codes first: this waits for running exchanges, whose tokens are then found below.
    await tx.query(
      'delete from oauth_grants where application_id = $1 and user_id = $2 and used_at is null',
      [applicationId, userId],
    );
    return this.where(tx, 'application_id = $1 and user_id = $2', [applicationId, userId]);
  }

  /** Revokes tokens and codes of an application that exceed `scopes`. */
  async beyond(tx: Tx, applicationId: number, scopes: readonly Scope[]): Promise<number> {
    await tx.query(
      'delete from oauth_grants where application_id = $1 and used_at is null and not scopes <@ $2::text[]',
      [applicationId, scopes],
    );
    return this.where(
      tx,
      'application_id = $1 and not (scopes || coalesce(refresh_scopes, scopes)) <@ $2::text[]',
      [applicationId, scopes],
    );
  }

  /**
   * A refresh that holds a row while this waits adds a pair that the statement cannot see: repeat until
   * nothing is left. @returns the number of revoked pairs
   */
  private async where(tx: Tx, condition: string, values: readonly unknown[]): Promise<number> {
    const text = `with gone as (update oauth_tokens set revoked_at = ${STATEMENT_TIME}, updated_at = ${STATEMENT_TIME}
      where ${condition} and revoked_at is null returning 1) select count(*)::int as total from gone`;
    for (let total = 0; ;) {
      const [row] = await tx.query<{ total: number }[]>(text, [...values]);
      if (!row?.total) return total;
      total += row.total;
    }
  }
}
