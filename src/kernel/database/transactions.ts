import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Optional } from '@nestjs/common';
import {
  DataSource,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type EntityManager,
} from 'typeorm';
import { requestContext } from '#kernel/log/request-context.js';
import { errorCode, isStaleStatement } from './statements/database-errors.js';
import { WriteNotes } from './replica/write-notes.js';
import { poolOf } from './own-pool.js';
import { FairTurns } from './sessions/fair-turns.js';

/** The entity manager of a running transaction: every write of a use case uses one. */
export type Tx = EntityManager;

/** Runs after a commit, and is awaited. */
type Hook = () => unknown;

const afterCommitHooks = new WeakMap<Tx, Hook[]>();

/**
 * Runs `hook` after the transaction has committed, and awaits its promise; not after a rollback. It must not
 * throw or reject.
 */
export function afterCommit(tx: Tx, hook: Hook): void {
  const hooks = afterCommitHooks.get(tx);
  if (!hooks) throw new Error('afterCommit needs a manager handed out by Transactions.run');
  hooks.push(hook);
}

/**
 * Runs first in every transaction opened within it: there the run of a job proves that it still owns its job.
 */
export const transactionFence = new AsyncLocalStorage<(tx: Tx) => Promise<void>>();

/** A transaction that those opened within it join while it runs. */
interface Shared {
  readonly tx: Tx;
  isOpen: boolean;
}

const shared = new AsyncLocalStorage<Shared>();

/** The transaction of the current `Transactions.together`; null outside of one. */
export function wholeTransaction(): Tx | null {
  const whole = shared.getStore();
  return whole?.isOpen === true ? whole.tx : null;
}

/** Behind a pooler: the transaction that what runs now is called by, open or over. */
const caller = new AsyncLocalStorage<Shared>();

/**
 * The transaction whose session `ReadDatabase` reads in, null outside of one. Behind a pooler that is any transaction, not just a whole one: who
 * holds a session must not need a second one, for all sessions may be held by such transactions, which would wait for each other.
 */
export function readingTransaction(): Tx | null {
  const calling = caller.getStore();
  return wholeTransaction() ?? (calling?.isOpen === true ? calling.tx : null);
}

/**
 * serialization_failure and deadlock_detected: safe to retry from the start, as is a transaction with a stale
 * statement.
 */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/** As long as a request waits for a connection. */
const TURN_WAIT_MS = 10_000;
/** Connections that one caller leaves to the others. */
const LEFT_TO_OTHERS = 2;
/** That of pg. */
const DEFAULT_POOL = 10;

interface PoolOptions {
  readonly poolSize?: number;
  readonly extra?: { readonly opening?: string };
}

/**
 * Opens transactions. Deadlocks, serialization failures and stale statements are retried, so `work` must be
 * repeatable.
 */
@Injectable()
export class Transactions {
  private readonly isPooled: boolean;
  private readonly turns: FairTurns;

  constructor(
    private readonly dataSource: DataSource,
    @Optional() private readonly notes?: WriteNotes,
  ) {
    const { extra, poolSize = DEFAULT_POOL } = dataSource.options as PoolOptions;
    this.isPooled = extra?.opening !== undefined;
    // As many as `PatientPool` has at most. Those of one caller may all be held up by a lock: others have some left.
    const width = poolSize + Math.ceil(poolSize / 2);
    const share = Math.max(poolSize, width - LEFT_TO_OTHERS);
    this.turns = new FairTurns({ width, share, waitMs: TURN_WAIT_MS });
    this.turns.register('write', () => poolOf(dataSource));
  }

  /**
   * Runs `work` in one transaction and returns its result after the commit; within `together`, as a part of
   * that transaction.
   */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const whole = wholeTransaction();
    if (whole) return this.part(whole, work);
    return repeated(async () => {
      const hooks: Hook[] = [];
      const result = await this.inTurn(() =>
        this.dataSource.transaction(async (tx) => {
          afterCommitHooks.set(tx, hooks);
          await transactionFence.getStore()?.(tx);
          return this.isPooled ? readingIn(tx, () => work(tx)) : work(tx);
        }),
      );
      await this.notes?.written();
      for (const hook of hooks) await hook();
      return result;
    });
  }

  /**
   * Whether current work is part of another transaction, or belongs to a job that must prove its ownership.
   */
  get isBound(): boolean {
    return wholeTransaction() !== null || transactionFence.getStore() !== undefined;
  }

  /**
   * Runs several use cases in one transaction: those called by `work` join it. Each of them is rolled back
   * alone if it throws; `work` may continue after that, except after errors of the database, which it must
   * rethrow: they cause a retry. The use cases run one after another. `ReadDatabase` also reads within the
   * transaction, except for batched lookups: those see what has been committed.
   */
  together<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      const whole: Shared = { tx, isOpen: true };
      try {
        return await shared.run(whole, () => work(tx));
      } finally {
        // Work that `work` has left running opens its own transactions again.
        whole.isOpen = false;
      }
    });
  }

  /** Only the outermost transaction of a request waits for a turn: a second one opened inside it would wait for the first. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const context = requestContext.getStore();
    if (context?.response === undefined || context.isWriting === true) return work();
    const release = await this.turns.take();
    context.isWriting = true;
    try {
      return await work();
    } finally {
      context.isWriting = false;
      release();
    }
  }

  private async part<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
    const hooks = afterCommitHooks.get(tx) ?? [];
    const count = hooks.length;
    try {
      return await tx.transaction(work);
    } catch (error) {
      hooks.length = count;
      throw error;
    }
  }
}

async function readingIn<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const calling: Shared = { tx, isOpen: true };
  try {
    return await caller.run(calling, work);
  } finally {
    calling.isOpen = false;
  }
}

/** Runs `work`, retrying after a deadlock, a serialization failure or a stale statement. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isPassing = RETRIED.has(errorCode(error) ?? '') || isStaleStatement(error);
      if (attempt >= ATTEMPTS || !isPassing) throw orConnectionLost(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** TypeORM reports a connection lost within a transaction only as released: connection_failure. */
function orConnectionLost(error: unknown): unknown {
  const isLost =
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError;
  return isLost
    ? Object.assign(new Error('Connection terminated', { cause: error }), { code: '08006' })
    : error;
}
