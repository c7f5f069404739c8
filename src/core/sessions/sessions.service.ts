import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { csrfTokenOf } from './csrf-token.js';
import { Session } from './session.entity.js';

/**
 * Data of a new session for the browser: the value of the cookie `_service_session`, and the token for its
 * forms.
 */
export interface StartedSession {
  readonly id: number;
  readonly secret: string;
  readonly csrfToken: string;
  /** Whether the browser should keep it after closing. */
  readonly remembered: boolean;
  readonly expiresAt: Date;
}

/** 258 random bits. */
const SECRET_LENGTH = 43;

/** Seconds for which a remembered browser stays signed in. */
export const REMEMBERED_SECONDS = 14 * 86_400;

/** Limit of listed sessions: more are not useful. */
const MOST_SESSIONS = 100;

/** Limit of stored characters of a user agent. */
const MAX_USER_AGENT = 500;

/**
 * Manages browser sessions. They end when revoked, or `session_expire_delay` minutes after their last use;
 * remembered ones at the earliest after two weeks.
 */
@Injectable()
export class SessionsService {
  constructor(private readonly settings: SettingsService) {}

  /** Creates a session for an authenticated user. */
  async create(
    tx: Tx,
    userId: number,
    remoteIp: string | null,
    userAgent: string | null,
    remembered = false,
  ): Promise<StartedSession> {
    const secret = randomToken('', SECRET_LENGTH);
    const csrfToken = csrfTokenOf(secret);
    const session = await tx.save(
      tx.create(Session, {
        userId,
        digest: digestToken(secret),
        csrfDigest: digestToken(csrfToken),
        remoteIp,
        userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
        remembered,
        authenticatedAt: new Date(),
        expiresAt: remembered ? new Date(Date.now() + REMEMBERED_SECONDS * 1000) : this.expiry(),
      }),
    );
    return { id: session.id, secret, csrfToken, remembered, expiresAt: session.expiresAt };
  }

  /** Returns a session. @throws 404 if it has ended */
  async find(tx: Tx, id: number): Promise<Session> {
    const session = await tx.findOneBy(Session, { id });
    if (!session) throw notFound('Session');
    return session;
  }

  /** Lists the latest sessions of a user that have not ended. */
  async allOf(tx: Tx, userId: number): Promise<Session[]> {
    const where = { userId, expiresAt: MoreThan(new Date()) };
    return tx.find(Session, { where, order: { id: 'desc' }, take: MOST_SESSIONS });
  }

  /** Ends a session: its cookie is invalid from the next request. */
  async revoke(tx: Tx, id: number): Promise<void> {
    await tx.delete(Session, { id });
  }

  /** Ends all sessions of a user, except `exceptId` if given. */
  async revokeAllOf(tx: Tx, userId: number, exceptId: number | null = null): Promise<void> {
    await tx.query('delete from sessions where user_id = $1 and id is distinct from $2', [userId, exceptId]);
  }

  /** Returns when a session that is used now ends. */
  expiry(): Date {
    return new Date(Date.now() + this.settings.values.session_expire_delay * 60_000);
  }
}
