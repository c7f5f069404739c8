import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { RunnerState } from './runner-state.js';

/** Minimum interval between two writes for a runner that polls continuously. */
const EVERY_MS = 40_000;
/** Limit of remembered runners; a forgotten one only causes another write. */
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
    executor = coalesce(excluded.executor, ci_runner_managers.executor)
  returning xmax = 0 as added`;

/** Limit of machines of a runner: its token alone makes a new one with each name that is sent. */
const MAX_MACHINES = 1_000;

/** Removes the machines beyond the limit that were silent for longest. */
const TRIM = `delete from ci_runner_managers where runner_id = $1 and system_id = any(array(
  select system_id from ci_runner_managers where runner_id = $1
  order by contacted_at desc nulls last, id desc offset ${MAX_MACHINES}))`;

/** Records contact times and facts of runners, without a write for each poll. */
@Injectable()
export class RunnerPresenceService {
  /** What this process has recently written for each runner and machine. */
  private readonly known = new LRUCache<string, string>({ max: MAX_KNOWN, ttl: EVERY_MS });

  constructor(private readonly transactions: Transactions) {}

  /** Records a poll of a runner, at intervals and when its facts change. */
  async seen(runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    const key = `${String(runnerId)} ${systemId ?? ''}`;
    const said = hash('sha256', JSON.stringify(state), 'base64');
    if (this.known.get(key) === said) return;
    await this.note(runnerId, systemId, state);
    this.known.set(key, said);
  }

  /** Records that the runner is active on this machine. */
  note(runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    return this.transactions.run((tx) => this.write(tx, runnerId, systemId, state));
  }

  /** Records it within a transaction. */
  async write(tx: Tx, runnerId: number, systemId: string | null, state: RunnerState): Promise<void> {
    const { name, version, revision, platform, architecture, executor, features, config } = state;
    const machine = [version, revision, platform, architecture, executor];
    const open = [JSON.stringify(features), JSON.stringify(config)];
    await tx.query(RUNNER, [runnerId, name, ...machine, ...open]);
    if (systemId === null) return;
    const [row] = await tx.query<{ added: boolean }[]>(MANAGER, [runnerId, systemId, ...machine]);
    if (row?.added) await tx.query(TRIM, [runnerId]);
  }
}
