import { Injectable } from '@nestjs/common';
import type { DeepPartial } from 'typeorm';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { notFound } from '#kernel/http/errors.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { BotRemoved } from './events/bot-removed.event.js';
import { DeleteUserJob } from './removal/delete-user.job.js';
import { UserCreated } from './events/user-created.event.js';
import { UserSignedOut } from './events/user-signed-out.event.js';
import { User } from './user.entity.js';
import type { UserStatus } from './user-values.js';

/** The bot of a project or group access token. */
export interface NewBot {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly sourceType: 'Project' | 'Namespace';
  readonly sourceId: number;
  readonly createdById: number;
}

const FOLLOW =
  'insert into user_follows (follower_id, followee_id) values ($1, $2) on conflict do nothing returning 1';
const UNFOLLOW = `with removed as (delete from user_follows where follower_id = $1 and followee_id = $2 returning 1)
  select 1 from removed`;

/** Basic operations on users; the rules of single routes are in separate files. */
@Injectable()
export class UsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  /** Inserts a user and publishes the event, so that the namespace is created in the same commit. */
  async insert(tx: Tx, fields: DeepPartial<User>): Promise<User> {
    const { id } = await tx.save(tx.create(User, fields));
    const user = await tx.findOneByOrFail(User, { id });
    await this.events.publish(tx, new UserCreated(user));
    return user;
  }

  /** Creates the bot of an access token: without a password, with a confirmed address and a namespace. */
  async createBot(tx: Tx, { sourceType, sourceId, ...names }: NewBot): Promise<User> {
    return this.insert(tx, {
      ...names,
      userType: sourceType === 'Project' ? 'project_bot' : 'group_bot',
      botSourceType: sourceType,
      botSourceId: sourceId,
      confirmedAt: new Date(),
      canCreateGroup: false,
      projectsLimit: 0,
    });
  }

  /** Disables a bot at once; a job moves its contributions to the ghost user and removes it. */
  async removeBot(tx: Tx, userId: number): Promise<void> {
    await this.events.publish(tx, new BotRemoved(userId));
    await this.scheduleDeletion(tx, userId, false);
  }

  /** Hides and blocks a user and enqueues the removal. */
  async scheduleDeletion(tx: Tx, userId: number, hard: boolean): Promise<void> {
    await tx.update(User, { id: userId }, { state: 'blocked', pendingDelete: true });
    await this.signOut(tx, userId);
    await this.jobs.enqueue(tx, DeleteUserJob, { userId, hard });
  }

  /** Ends all sessions of a user. */
  async signOut(tx: Tx, userId: number): Promise<void> {
    await this.events.publish(tx, new UserSignedOut(userId));
  }

  /** Returns the row of a user, locked. @throws 404 */
  async findForUpdate(tx: Tx, id: number): Promise<User> {
    const user = await tx.findOne(User, {
      where: { id, pendingDelete: false },
      lock: { mode: 'pessimistic_write' },
    });
    if (!user) throw notFound('User');
    return user;
  }

  /** Sets what a user says about availability; null for nothing. */
  async setStatus(id: number, status: UserStatus | null): Promise<void> {
    await this.transactions.run((tx) =>
      tx.query(
        'update users set status = $1, updated_at = now() where id = $2 and status is distinct from $1',
        [status === null ? null : JSON.stringify(status), id],
      ),
    );
  }

  /** Lets a user follow another one; returns whether that is new. @throws 404 */
  follow(followerId: number, id: number): Promise<boolean> {
    return this.changeFollow(FOLLOW, followerId, id);
  }

  /** Ends following a user; returns whether the user was followed. @throws 404 */
  unfollow(followerId: number, id: number): Promise<boolean> {
    return this.changeFollow(UNFOLLOW, followerId, id);
  }

  private changeFollow(statement: string, followerId: number, id: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      await this.hold(tx, id);
      return (await tx.query<unknown[]>(statement, [followerId, id])).length > 0;
    });
  }

  /**
   * Keeps a user from being removed until `tx` ends. The lock is shared, like that of references to the
   * user. @throws 404
   */
  async hold(tx: Tx, id: number): Promise<void> {
    const user = await tx.findOne(User, {
      select: { id: true },
      where: { id, pendingDelete: false },
      lock: { mode: 'for_key_share' },
    });
    if (!user) throw notFound('User');
  }
}
