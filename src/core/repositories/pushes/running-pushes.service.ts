import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { notFound } from '#kernel/http/errors.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '../repository-ref.js';
import type { OpenRepository } from '../repositories.service.js';
import type { RefChange } from './ref-change.js';

/** A push without a heartbeat for this long is dead; waiters stop waiting. */
export const PUSH_LOST_AFTER_MS = 30_000;
const HEARTBEAT_MS = 5_000;

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * Locks the owner's row first, and reads it as of then. The storage must be unchanged: a leftover copy on the
 * old one would accept the push unseen.
 */
const begins = (type: OwnerType): string => `with owner as materialized (
    select repository_storage = $5 and not repository_read_only as is_open from ${OWNER_TABLES[type]} where id = $4 for share),
  known as (select id from repositories where id = $2),
  begun as (insert into running_pushes (id, repository_id, user_id, changes, push_options)
    select $1, known.id, $3, $6::jsonb, $7::text[] from owner cross join known where owner.is_open returning id)
  select owner.is_open as "isOpen", exists (select from known) as "isKnown", exists (select from begun) as "isBegun" from owner`;

/** One that is being ended, however long that takes, must not keep the others from being found alive. */
const BEAT = `update running_pushes set heartbeat_at = now()
  where id = any(array(select id from running_pushes where id = any($1) for update skip locked))`;

/** Changes of an accepted push. */
export interface AcceptedChanges {
  readonly changes: readonly RefChange[];
  readonly pushOptions: readonly string[];
}

interface Beginning {
  readonly isOpen: boolean;
  readonly isKnown: boolean;
  readonly isBegun: boolean;
}

const THERE = 'select 1 from repositories where id = $1';

const ACCEPT = `update running_pushes set changes = $2, push_options = $3, heartbeat_at = now() where id = $1 returning id`;

/**
 * Registry of the pushes running in all processes: each has a row from before git starts until its effects
 * are recorded. A move first makes its owner read-only, under the lock that begin() shares, and then waits
 * for the rows that existed before.
 */
@Injectable()
export class RunningPushesService implements OnApplicationShutdown {
  private readonly logger = new Logger(RunningPushesService.name);
  private readonly mine = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Registers a push (`userId` null: maintenance), `accepted` with its changes; null if the repository is
   * read-only or has moved since it was opened, or if registering took so long that a move may have stopped
   * waiting. Always call finish (of PushCompletion) or cancel afterwards. @throws 404 if the owner or the
   * repository no longer exists
   */
  async begin(
    repository: OpenRepository,
    userId: number | null,
    accepted?: AcceptedChanges,
  ): Promise<string | null> {
    const id = randomUUID();
    const elapsedMs = stopwatch();
    const { ownerType, ownerId, storage } = repository;
    const said = [accepted ? JSON.stringify(accepted.changes) : null, accepted?.pushOptions ?? []];
    const values = [id, repository.id, userId, ownerId, storage, ...said];
    const [found] = await this.transactions
      .run((tx) => tx.query<Beginning[]>(begins(ownerType), values))
      .catch((error: unknown) => {
        // The repository was removed while this waited for the lock of its owner.
        throw errorCode(error) === FOREIGN_KEY_VIOLATION ? notFound(ownerType) : error;
      });
    if (!found || (found.isOpen && !found.isKnown)) throw notFound(ownerType);
    if (!found.isBegun) return null;
    if (accepted && elapsedMs() >= PUSH_LOST_AFTER_MS) {
      await this.cancel(id);
      return null;
    }
    this.mine.add(id);
    this.timer ??= setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
    return id;
  }

  /**
   * Runs `work` while no move can start, for changes that do not concern pushers; runs `otherwise` if the
   * repository is read-only. @throws 404
   */
  async whileWritable<T>(
    repository: OpenRepository,
    work: () => Promise<T>,
    otherwise: () => T | Promise<T>,
  ): Promise<T> {
    const push = await this.begin(repository, null);
    if (push === null) return otherwise();
    try {
      return await work();
    } finally {
      await this.cancel(push);
    }
  }

  /**
   * Stores the accepted changes, so that they are known even if this process dies. False if the push was
   * given up, or this took so long that a move may have stopped waiting: reject the push.
   */
  async accept(
    id: string,
    changes: readonly RefChange[],
    pushOptions: readonly string[] = [],
  ): Promise<boolean> {
    const elapsedMs = stopwatch();
    const isKnown = await this.transactions.run(async (tx) => {
      const rows = await tx.query<[unknown[], number] | unknown[]>(ACCEPT, [
        id,
        JSON.stringify(changes),
        pushOptions,
      ]);
      return Array.isArray(rows[0]) ? rows[0].length > 0 : rows.length > 0;
    });
    return isKnown && elapsedMs() < PUSH_LOST_AFTER_MS;
  }

  /** Returns whether the repository was removed with its owner since it was opened. */
  async isGone({ id }: OpenRepository): Promise<boolean> {
    const found = await this.transactions.run((tx) => tx.query<unknown[]>(THERE, [id]));
    return found.length === 0;
  }

  /**
   * Unregisters a push without changes. Never throws: a push that cannot be unregistered is recovered as
   * lost.
   */
  async cancel(id: string): Promise<void> {
    this.release(id);
    try {
      await this.transactions.run((tx) => tx.query('delete from running_pushes where id = $1', [id]));
    } catch (error) {
      this.logger.warn(`Push ${id} will be removed later: ${String(error)}`);
    }
  }

  /** Stops the heartbeat of a push. */
  release(id: string): void {
    this.mine.delete(id);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.mine.size === 0) return;
    try {
      await this.transactions.run((tx) => tx.query(BEAT, [[...this.mine]]));
    } catch (error) {
      this.logger.warn(`Heartbeats of running pushes failed: ${String(error)}`);
    }
  }
}

/** Milliseconds by the clock that has moved further: one may be set back, the other stands still while the machine is suspended. */
function stopwatch(): () => number {
  const [wall, steady] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - steady);
}
