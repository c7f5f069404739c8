import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { RunnerState } from './runner-state.js';

/** A runner that asks all the time is written down so often. */
const EVERY_MS = 40_000;
/** Runners that are remembered; one that is forgotten is only written down once more. */
const MAX_KNOWN = 20_000;

const RUNNER = `update ci_runners set contacted_at = now(), name = coalesce($2, name), version = coalesce($3, version),
    revision = coalesce($4, revision), platform = coalesce($5, platform), architecture = coalesce($6, architecture),
    executor = coalesce($7, executor),
    features = case when $8::jsonb = '{}' then features else $8::jsonb end,
    config = case when $9::jsonb = '{}' then config else $9::jsonb end
  where id = $1`;

const MANAGER = `insert into ci_runner_managers (runner_id, system_id, version, revision, platform, architecture, executor, contacted_at)
  select id, $2, $3, $4, $5, $6, $7, now() from ci_runners where id = $1
  on conflict (runner_id, system_id) do update set contacted_at = now(),
    version = coalesce(excluded.version, ci_runner_managers.version), revision = coalesce(excluded.revision, ci_runner_managers.revision),
    platform = coalesce(excluded.platform, ci_runner_managers.platform),
    architecture = coalesce(excluded.architecture, ci_runner_managers.architecture),
    executor = coalesce(excluded.executor, ci_runner_managers.executor)`;

/** Writes down when runners were last there and what they say of themselves, without a write for every time that they ask. */
@Injectable()
export class RunnerPresenceService {
  /** What this process has written lately of each runner and machine. */
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN, ttl: EVERY_MS });

  constructor(private readonly transactions: Transactions) {}

  /** The runner asks: noted now and then, and when it says something new. */
  async seen(runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    const key = `${String(runnerId)} ${systemId ?? ''}`;
    const said = hash('sha256', JSON.stringify(state), 'base64');
    if (this.known.get(key) === said) return;
    await this.note(runnerId, systemId, state);
    this.known.set(key, said);
  }

  /** The runner is there, and on this machine. */
  note(runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    return this.transactions.run((tx) => this.write(tx, runnerId, systemId, state));
  }

  /** The same within a transaction. */
  async write(tx: Tx, runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    const { name, version, revision, platform, architecture, executor, features, config } = state;
    const machine = [version, revision, platform, architecture, executor];
    const open = [JSON.stringify(features), JSON.stringify(config)];
    await tx.query(RUNNER, [runnerId, name, ...machine, ...open]);
    if (systemId !== null) await tx.query(MANAGER, [runnerId, systemId, ...machine]);
  }
}
