import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { Scope } from '#kernel/access/roles.js';

/** Makes pairs of tokens useless from the next request on. Pairs that were replaced already are marked too: no grace window outlives it. */
@Injectable()
export class OauthTokenRevocationService {
  /** One pair alone. */
  async one(tx: Tx, id: number): Promise<number> {
    return this.where(tx, 'id = $1', [id]);
  }

  /** Every pair that came out of the same first one by refreshing. */
  async family(tx: Tx, firstId: number): Promise<number> {
    return this.where(tx, '(id = $1 or family_id = $1)', [firstId]);
  }

  /** Every pair that descends from a code. */
  async ofGrant(tx: Tx, grantId: number): Promise<number> {
    return this.where(tx, 'grant_id = $1', [grantId]);
  }

  /** All that an application may do for a user, codes that wait for their exchange included. */
  async ofApplicationAndUser(tx: Tx, applicationId: number, userId: number): Promise<number> {
    // The codes first: an exchange that is under way ends before this goes on, and its token is found below.
    await tx.query(
      'delete from oauth_grants where application_id = $1 and user_id = $2 and used_at is null',
      [applicationId, userId],
    );
    return this.where(tx, 'application_id = $1 and user_id = $2', [applicationId, userId]);
  }

  /** What of an application reaches further than `scopes`, codes included. */
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
   * A refresh that holds its row while this waits adds a pair that the statement cannot see: it is asked again until nothing is
   * left. @returns how many pairs died
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
