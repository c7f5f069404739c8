import { Injectable } from '@nestjs/common';
import type { Caller, UserCaller, SubjectCaller, Actor } from '#kernel/access/caller.js';
import { Tier, type Role } from '#kernel/access/roles.js';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { problemTexts } from '#kernel/http/problem-texts.js';
import { conflict, forbidden, HttpError, invalid, methodNotAllowed, notFound } from '#kernel/http/errors.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { assertFuture, assertLevel, levelName } from '../member-levels.js';
import { memberContainer, scopeOf, type MemberContainer } from '../member-container.js';
import { MemberRulesService } from './member-rules.service.js';
import type { AddMemberParams } from '../members.params.js';
import { MembersService } from '../members.service.js';
import { MembershipChanged } from '../membership-changed.event.js';

interface FoundUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

const FIND = `select id, username, name from users where not pending_delete and user_type = 'human' and`;
const MAX_AT_ONCE = 100;

/** Result of adding several users; without a message all were added. */
export type AddedList =
  | { readonly status: 'success' }
  | { readonly status: 'error'; readonly message: Readonly<Record<string, string>> };

/** Adds users to groups and projects (`auth-core.md` 6.5). */
@Injectable()
export class AddMembers {
  constructor(
    private readonly transactions: Transactions,
    private readonly members: MembersService,
    private readonly rules: MemberRulesService,
    private readonly audit: AuditLogService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Adds one user, or each of a comma-separated list; returns the id of the user, or the result of the list.
   */
  async run(caller: UserCaller & SubjectCaller, params: AddMemberParams): Promise<number | AddedList> {
    const ids = params.user_id?.split(',').map((id) => id.trim()) ?? [];
    if (ids.length > 1) return this.addAll(caller, params, ids);
    const level = this.assertGrantable(caller, params);
    return this.add(caller, params, level, params.user_id ?? '');
  }

  /** Adds each user separately; returns the errors by user. */
  private async addAll(
    caller: UserCaller & SubjectCaller,
    params: AddMemberParams,
    ids: readonly string[],
  ): Promise<AddedList> {
    if (ids.length > MAX_AT_ONCE)
      throw invalid({ user_id: [`has too many items (maximum is ${MAX_AT_ONCE})`] });
    const level = this.assertGrantable(caller, params);
    const problems: Record<string, string> = {};
    for (const id of ids) {
      try {
        await this.add(caller, params, level, id);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        problems[id] = textOf(error);
      }
    }
    return Object.keys(problems).length === 0
      ? { status: 'success' }
      : { status: 'error', message: problems };
  }

  /** Users cannot give a higher role than their own. */
  private assertGrantable(
    { role, tier, subject }: Caller,
    { access_level: level, expires_at }: AddMemberParams,
  ): Role {
    assertLevel(level, subject?.kind === 'Group' && tier >= Tier.Premium);
    assertFuture(expires_at);
    if (level > role) throw forbidden();
    return level;
  }

  private async add(
    caller: UserCaller & SubjectCaller,
    params: AddMemberParams,
    level: Role,
    userId: string,
  ): Promise<number> {
    const container = memberContainer(caller);
    const author = caller.actor;
    try {
      return await this.transactions.run(async (tx) => {
        const user = await this.findUser(tx, params, userId);
        if (await this.rules.isLocked(tx, container)) throw methodNotAllowed(['GET', 'HEAD']);
        if (await this.rules.isPersonalOwner(tx, container, user.id)) throw alreadyThere();
        await this.rules.assertNotBelowInherited(tx, container, user.id, level);
        await this.members.removeExpired(tx, container.type, container.id, user.id);
        await this.insert(tx, container, user, level, author, params.expires_at ?? null);
        return user.id;
      });
    } catch (error) {
      if (violatedConstraint(error) === 'members_user_source') throw alreadyThere();
      throw error;
    }
  }

  private async insert(
    tx: Tx,
    container: MemberContainer,
    user: FoundUser,
    accessLevel: Role,
    author: Actor,
    expiresAt: string | null,
  ): Promise<void> {
    const { type, id } = container;
    const membership = { sourceType: type, sourceId: id, userId: user.id, accessLevel, expiresAt };
    await this.members.add(tx, { ...membership, createdById: author.id });
    await this.events.publish(tx, new MembershipChanged('added', membership, author.id));
    const target = { type: 'User', id: user.id, details: user.name };
    await this.audit.record(tx, author, scopeOf(container), target, {
      add: 'user_access',
      as: levelName(accessLevel),
    });
  }

  private async findUser(tx: Tx, { username }: AddMemberParams, userId: string): Promise<FoundUser> {
    const id = /^\d{1,15}$/.test(userId) ? Number(userId) : null;
    const [user] =
      userId === '' && username !== undefined
        ? await tx.query<FoundUser[]>(`${FIND} lower(username) = lower($1)`, [username])
        : await tx.query<FoundUser[]>(`${FIND} id = $1`, [id]);
    if (!user) throw notFound('User');
    return user;
  }
}

const alreadyThere = (): HttpError => conflict('Member already exists');

/** Returns the texts of an error's body. */
const textOf = ({ body }: HttpError): string =>
  [...problemTexts(body?.['message'] ?? {})].map(([, text]) => text).join(', ');
