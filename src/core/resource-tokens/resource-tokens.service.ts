import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor, Caller } from '#kernel/access/caller.js';
import { Transactions } from '#kernel/database/transactions.js';
import { badRequest, forbidden } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { MembersService } from '#core/members/members.service.js';
import { endedTogether, NOTHING_ENDED, type EndedWithToken } from '#core/tokens/events/ended-with-token.js';
import { RotateToken } from '#core/tokens/rotation/rotate-token.use-case.js';
import { TokensService } from '#core/tokens/tokens.service.js';
import { UsersService } from '#core/users/users.service.js';
import type { IssuedResourceToken } from './resource-token.record.js';
import type { CreateResourceTokenParams, RotateResourceTokenParams } from './resource-tokens.params.js';
import { ResourceTokensQueries } from './resource-tokens.queries.js';
import type { TokenContainer } from './token-container.js';

const TOO_HIGH =
  "400 Bad request - Access level of the token can't be greater the access level of the user who created the token";

/** Manages access tokens of projects and groups: each has its own bot, which is a member only there. */
@Injectable()
export class ResourceTokensService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly tokens: TokensService,
    private readonly rotation: RotateToken,
    private readonly queries: ResourceTokensQueries,
  ) {}

  /** Creates a bot with its membership and token. @throws 400 for a role above that of the caller */
  async create(
    container: TokenContainer,
    caller: Caller,
    params: CreateResourceTokenParams,
  ): Promise<IssuedResourceToken> {
    const actor = humanActor(caller);
    const { name, scopes, access_level: accessLevel, expires_at: expiresAt = null } = params;
    if (accessLevel > caller.role) throw badRequest(TOO_HIGH);
    return this.transactions.run(async (tx) => {
      const { sourceType, sourceId, kind } = container;
      const username = `${kind.toLowerCase()}_${sourceId}_bot_${randomBytes(16).toString('hex')}`;
      const email = `${username}@noreply.invalid`;
      const names = { username, name, email, createdById: actor.id };
      const bot = await this.users.createBot(tx, { ...names, sourceType, sourceId });
      await this.members.add(tx, {
        sourceType,
        sourceId,
        userId: bot.id,
        accessLevel,
        createdById: actor.id,
        expiresAt: null,
      });
      const issued = await this.tokens.create(tx, { userId: bot.id, name, scopes, expiresAt }, actor);
      return { ...issued, accessLevel };
    });
  }

  /**
   * Revokes a token with everything its bot created (which it returns), and removes the bot from the project
   * or group, all at once.
   * @throws 404, 412; 403 for a token with a role above that of the caller
   */
  async remove(
    container: TokenContainer,
    caller: Caller,
    id: number,
    unmodified: UnmodifiedCheck,
  ): Promise<EndedWithToken> {
    const actor = humanActor(caller);
    return this.transactions.run(async (tx) => {
      const token = await this.tokens.findForUpdate(tx, id);
      const { userId, accessLevel } = await this.queries.findIn(tx, container, id);
      if (!token) return NOTHING_ENDED;
      if (accessLevel !== null && accessLevel > caller.role) throw forbidden();
      unmodified(token.updatedAt);
      const withTokens = await this.tokens.revokeAllOf(tx, userId, actor);
      // Needed even if the token itself was revoked before, by the bot or after a reuse.
      const left = await this.tokens.revokeMadeBy(tx, userId, actor);
      await this.users.removeBot(tx, userId);
      return endedTogether(withTokens, left);
    });
  }

  /**
   * Replaces a token; the bot and its role stay. @throws 403 for a token with a role above that of the caller
   */
  async rotate(
    container: TokenContainer,
    caller: Caller,
    params: RotateResourceTokenParams,
  ): Promise<IssuedResourceToken> {
    const former = await this.queries.find(container, params.token_id);
    const { accessLevel } = former;
    const actor = caller.actor?.id === former.userId ? caller.actor : humanActor(caller);
    if (accessLevel !== null && accessLevel > caller.role) throw forbidden();
    const rotator = { author: actor, credential: caller.credential };
    const issued = await this.rotation.run(rotator, former.id, params.expires_at, () => undefined);
    return { ...issued, accessLevel };
  }
}

/**
 * Asserts that the caller is not a bot: a leaked token must not outlive its revocation by creating others.
 * @throws 403
 */
function humanActor({ actor }: Caller): Actor {
  if (actor?.userType !== 'human') throw forbidden();
  return actor;
}
