import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import {
  DataSource,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
  type EntityManager,
} from 'typeorm';

/** The manager of a running transaction: every write of a use case goes through one of these. */
export type Tx = EntityManager;

/** What is done after a commit; it is waited for. */
type Hook = () => unknown;

const afterCommitHooks = new WeakMap<Tx, Hook[]>();

/** Runs `hook` once the transaction has committed, and waits for its promise; never when it rolls back. It must not throw or reject. */
export function afterCommit(tx: Tx, hook: Hook): void {
  const hooks = afterCommitHooks.get(tx);
  if (!hooks) throw new Error('afterCommit needs a manager handed out by Transactions.run');
  hooks.push(hook);
}

/** Called first in every transaction that is opened within it: there the run of a job proves that it still owns its job. */
export const transactionFence = new AsyncLocalStorage<(tx: Tx) => Promise<void>>();

/** A transaction that those opened within it become parts of, while it runs. */
interface Shared {
  readonly tx: Tx;
  isOpen: boolean;
}

const shared = new AsyncLocalStorage<Shared>();

/** serialization_failure and deadlock_detected: safe to run again from the start, as is what met a statement that the connection knew otherwise. */
const RETRIED = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/** Opens transactions; deadlocks, serialization failures and stale statements are retried, so `work` must be repeatable. */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs `work` in one transaction and returns its result after the commit; within `together`, as a part of that transaction. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const whole = shared.getStore();
    if (whole?.isOpen === true) return this.part(whole.tx, work);
    return repeated(async () => {
      const hooks: Hook[] = [];
      const result = await this.dataSource.transaction(async (tx) => {
        afterCommitHooks.set(tx, hooks);
        await transactionFence.getStore()?.(tx);
        return work(tx);
      });
      for (const hook of hooks) await hook();
      return result;
    });
  }

  /** Whether what is run now becomes a part of another transaction, or belongs to a job that must prove that it is its own. */
  get isBound(): boolean {
    return shared.getStore()?.isOpen === true || transactionFence.getStore() !== undefined;
  }

  /**
   * Runs several use cases in one transaction: what `work` calls opens none of its own. Each is a part that is undone alone when it
   * throws; `work` may go on after that, except for errors of the database, which it must let through: they run it again. Parts run
   * one after the other. What reads by `ReadDatabase` does not see what is not committed yet.
   */
  together<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      const whole: Shared = { tx, isOpen: true };
      try {
        return await shared.run(whole, () => work(tx));
      } finally {
        // Whatever `work` has left running opens transactions of its own again.
        whole.isOpen = false;
      }
    });
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

/** Does `work`, again after a deadlock, a serialization failure or a stale statement. */
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

/** TypeORM says of a connection that is lost within a transaction only that it has been released: connection_failure. */
function orConnectionLost(error: unknown): unknown {
  const isLost =
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError;
  return isLost
    ? Object.assign(new Error('Connection terminated', { cause: error }), { code: '08006' })
    : error;
}

/** SQLSTATE of a database error, or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}

/** Name of the constraint that a database error names, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { constraint, driverError } = error as {
    constraint?: unknown;
    driverError?: { constraint?: unknown };
  };
  const found = constraint ?? driverError?.constraint;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Whether the connection knows a prepared statement otherwise than we do: it is not there (something between us and the server has thrown
 * it away), it is there already, or its columns have changed since (by a migration). A new connection knows none.
 */
export function isStaleStatement(error: unknown): boolean {
  const code = errorCode(error);
  if (code === '26000' || code === '42P05') return true;
  return (
    code === '0A000' && error instanceof Error && error.message.startsWith('cached plan must not change')
  );
}
