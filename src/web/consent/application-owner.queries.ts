import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** Queries for the owner of an application. */
@Injectable()
export class ApplicationOwnerQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the username of an application's owner; null for applications of the instance. */
  async usernameOrNull(ownerId: number | null): Promise<string | null> {
    if (ownerId === null) return null;
    const text = 'select username from users where id = $1';
    return (await this.database.one<{ username: string }>(text, [ownerId]))?.username ?? null;
  }
}
