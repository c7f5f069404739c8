import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { User } from '#core/users/user.entity.js';

/** Longer than any username or address. */
const MAX_LOGIN = 255;

/** A confirmed address has one owner; one that somebody has only claimed leads to nobody. Usernames have no `@`. */
const FIND = `select id from users where lower(username) = lower($1)
  union all select id from users where lower(email) = lower($1)
  union all select user_id from user_emails where lower(email) = lower($1) and confirmed_at is not null limit 1`;

/** Finds whom a login means. */
@Injectable()
export class LoginsQueries {
  constructor(private readonly dataSource: DataSource) {}

  /** The person with this username or address, in any case of letters, with the digest of their password; or null. */
  async findOrNull(login: string): Promise<User | null> {
    const isReadable = login.length <= MAX_LOGIN && !login.includes('\0') && login.isWellFormed();
    const rows = await this.dataSource.query<{ id: number }[]>(FIND, [isReadable ? login.trim() : '']);
    return this.read(rows[0]?.id ?? 0);
  }

  /** The person of that id, likewise. */
  async read(id: number): Promise<User | null> {
    return this.dataSource
      .getRepository(User)
      .createQueryBuilder('u')
      .addSelect('u.passwordDigest')
      .where({ id, userType: 'human', pendingDelete: false })
      .getOne();
  }
}
