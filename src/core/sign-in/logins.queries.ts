import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { User } from '#core/users/user.entity.js';

/** Longer than any username or email address. */
const MAX_LOGIN = 255;

/** A confirmed address has one owner; unconfirmed ones identify no user. Usernames contain no `@`. */
const FIND = `select id from users where lower(username) = lower($1)
  union all select id from users where lower(email) = lower($1)
  union all select user_id from user_emails where lower(email) = lower($1) and confirmed_at is not null limit 1`;

/** Finds users by login. */
@Injectable()
export class LoginsQueries {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns the person with this username or address (case-insensitive), with the password digest; or null.
   */
  async findOrNull(login: string): Promise<User | null> {
    const isReadable = login.length <= MAX_LOGIN && !login.includes('\0') && login.isWellFormed();
    const rows = await this.dataSource.query<{ id: number }[]>(FIND, [isReadable ? login.trim() : '']);
    return this.read(rows[0]?.id ?? 0);
  }

  /** Returns the person with this id, with the password digest; or null. */
  async read(id: number): Promise<User | null> {
    return this.dataSource
      .getRepository(User)
      .createQueryBuilder('u')
      .addSelect('u.passwordDigest')
      .where({ id, userType: 'human', pendingDelete: false })
      .getOne();
  }
}
