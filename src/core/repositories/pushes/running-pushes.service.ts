import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { notFound } from '#kernel/http/errors.js';
import { errorCode, Transactions } from '#kernel/database/transactions.js';
import { OWNER_TABLES, type OwnerType } from '../repository-ref.js';
import type { OpenRepository } from '../repositories.service.js';
import type { RefChange } from './ref-change.js';

/** A push that does not say for so long that it goes on is dead; whoever waits for it goes on. */
export const PUSH_LOST_AFTER_MS = 30_000;
const HEARTBEAT_MS = 5_000;

const FOREIGN_KEY_VIOLATION = '23503';

/**
 * The row of the owner is taken first, and what it says is as of then. An old copy that could not be removed would take the push, and nobody would
 * ever see it: the storage must be the same.
 */
const begins = (type: OwnerType): string => `with owner as materialized (
    select repository_storage = $5 and not repository_read_only as is_open from ${OWNER_TABLES[type]} where id = $4 for share),
  known as (select id from repositories where id = $2),
  begun as (insert into running_pushes (id, repository_id, user_id, changes, push_options)
    select $1, known.id, $3, $6::jsonb, $7::text[] from owner cross join known where owner.is_open returning id)
  select owner.is_open as "isOpen", exists (select from known) as "isKnown", exists (select from begun) as "isBegun" from owner`;

/** What a push is about to change, where all of it has been agreed to. */
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
 * Who changes repositories right now, over all processes: each push has a row from before git starts until its effects are recorded.
 * A move first makes its owner read-only, under the lock that begin() shares, and then waits for the rows that were there before.
 */
@Injectable()
export class RunningPushesService implements OnApplicationShutdown {
  private readonly logger = new Logger(RunningPushesService.name);
  private readonly mine = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly transactions: Transactions) {}

  /**
   * Announces a push (`userId` null: upkeep of our own), `accepted` with what it changes; null when the repository is read-only now, or has moved
   * away since it was opened, or when that took so long that a move may have stopped waiting for it.
   * Call finish (of PushCompletion) or cancel in every case. @throws 404 when the owner or the repository is gone
   */
  async begin(
    repository: OpenRepository,
    userId: number | null,
    accepted?: AcceptedChanges,
  ): Promise<string | null> {
    const id = randomUUID();
    const begunAt = Date.now();
    const { ownerType, ownerId, storage } = repository;
    const said = [accepted ? JSON.stringify(accepted.changes) : null, accepted?.pushOptions ?? []];
    const values = [id, repository.id, userId, ownerId, storage, ...said];
    const [found] = await this.transactions
      .run((tx) => tx.query<Beginning[]>(begins(ownerType), values))
      .catch((error: unknown) => {
        // The repository was removed while we waited for its owner.
        throw errorCode(error) === FOREIGN_KEY_VIOLATION ? notFound(ownerType) : error;
      });
    if (!found || (found.isOpen && !found.isKnown)) throw notFound(ownerType);
    if (!found.isBegun) return null;
    if (accepted && Date.now() - begunAt >= PUSH_LOST_AFTER_MS) {
      await this.cancel(id);
      return null;
    }
    this.mine.add(id);
    this.timer ??= setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
    return id;
  }

  /** Changes a repository while no move does, in a way that concerns nobody who pushes; while it is read-only `otherwise` answers. @throws 404 */
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
   * Stores what is about to be changed, so that it is known even if this process dies. False when the push was given up meanwhile, or when
   * that took so long that a move may have stopped waiting for it: refuse it.
   */
  async accept(
    id: string,
    changes: readonly RefChange[],
    pushOptions: readonly string[] = [],
  ): Promise<boolean> {
    const begun = Date.now();
    const isKnown = await this.transactions.run(async (tx) => {
      const rows = await tx.query<[unknown[], number] | unknown[]>(ACCEPT, [
        id,
        JSON.stringify(changes),
        pushOptions,
      ]);
      return Array.isArray(rows[0]) ? rows[0].length > 0 : rows.length > 0;
    });
    return isKnown && Date.now() - begun < PUSH_LOST_AFTER_MS;
  }

  /** Whether the repository has been removed since it was opened, with its owner. */
  async isGone({ id }: OpenRepository): Promise<boolean> {
    const found = await this.transactions.run((tx) => tx.query<unknown[]>(THERE, [id]));
    return found.length === 0;
  }

  /** The push has changed nothing. Never throws: one that cannot be forgotten now is lost, and forgotten as such. */
  async cancel(id: string): Promise<void> {
    this.release(id);
    try {
      await this.transactions.run((tx) => tx.query('delete from running_pushes where id = $1', [id]));
    } catch (error) {
      this.logger.warn(`Push ${id} will be forgotten later: ${String(error)}`);
    }
  }

  /** This process does not keep the push alive any more. */
  release(id: string): void {
    this.mine.delete(id);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async beat(): Promise<void> {
    if (this.mine.size === 0) return;
    try {
      await this.transactions.run((tx) =>
        tx.query('update running_pushes set heartbeat_at = now() where id = any($1)', [[...this.mine]]),
      );
    } catch (error) {
      this.logger.warn(`Running pushes could not be kept alive: ${String(error)}`);
    }
  }
}
