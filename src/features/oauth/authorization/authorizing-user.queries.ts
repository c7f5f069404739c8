import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** Facts of the user of a session that authorization needs. */
export interface AuthorizingUser {
  readonly sessionId: number;
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly admin: boolean;
  /** Whether the user has confirmed the primary email address. */
  readonly confirmed: boolean;
  /** When the user last authenticated in this session. */
  readonly authenticatedAt: Date;
}

const BY_SESSION = `select s.id as "sessionId", u.id, u.username, u.name, u.admin, u.confirmed_at is not null as confirmed,
    s.authenticated_at as "authenticatedAt"
  from sessions s join users u on u.id = s.user_id where s.id = $1`;

/** Reads users who are asked to authorize applications. */
@Injectable()
export class AuthorizingUserQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the user of a session; null if it has ended. */
  async findOrNull(sessionId: number): Promise<AuthorizingUser | null> {
    return this.database.one<AuthorizingUser>(BY_SESSION, [sessionId]);
  }
}
