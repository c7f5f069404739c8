import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Signature } from '../git/build-commit.js';

const FIND = `select name, coalesce(nullif(commit_email, ''), email) as email from users where id = $1`;

/** Reads the author of commits made by requests. */
@Injectable()
export class AuthorsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the name and commit email of a user. @throws Error if the user no longer exists */
  async of(userId: number): Promise<Signature> {
    const found = await this.database.one<{ name: string; email: string }>(FIND, [userId]);
    if (!found) throw new Error(`There is no user ${userId} to commit for`);
    return found;
  }
}
