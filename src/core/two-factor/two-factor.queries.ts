import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { askedByGroupSql } from './group-duty.sql.js';

/** Row of the second factor on the user's page. */
export interface TwoFactorRow {
  readonly created_at: Date;
  readonly codes_left: number;
  /** Whether a group of the user requires it. */
  readonly is_asked: boolean;
}

const FIND = `select t.created_at,
    (select count(*) from two_factor_recovery_codes c where c.user_id = t.user_id and c.used_at is null) as codes_left,
    ${askedByGroupSql('t.user_id')} as is_asked
  from user_two_factors t where t.user_id = $1`;

const IS_ASKED = `select ${askedByGroupSql('$1::bigint')} as is_asked`;

/** Reads second factors. */
@Injectable()
export class TwoFactorQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the second factor of a user, or null. */
  async findOrNull(userId: number): Promise<TwoFactorRow | null> {
    return (await this.database.one<TwoFactorRow>(FIND, [userId])) ?? null;
  }

  /** Returns whether a group of the user requires a second factor: a password alone then does not suffice. */
  async isAskedByGroup(userId: number): Promise<boolean> {
    return (await this.database.one<{ is_asked: boolean }>(IS_ASKED, [userId]))?.is_asked === true;
  }
}
