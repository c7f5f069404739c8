import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/read-database.js';

/** What the user's own page tells of the second factor. */
export interface TwoFactorRow {
  readonly created_at: Date;
  readonly codes_left: number;
}

const FIND = `select t.created_at,
    (select count(*) from two_factor_recovery_codes c where c.user_id = t.user_id and c.used_at is null) as codes_left
  from user_two_factors t where t.user_id = $1`;

/** Reads second factors. */
@Injectable()
export class TwoFactorQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** The second factor of a user, or null. */
  async findOrNull(userId: number): Promise<TwoFactorRow | null> {
    return (await this.database.one<TwoFactorRow>(FIND, [userId])) ?? null;
  }
}
