import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Transactions } from '#kernel/database/transactions.js';
import { PUSH_LOST_AFTER_MS } from '#core/repositories/pushes/running-pushes.service.js';
import type { RepositoryKind } from '#core/repositories/repository-ref.js';
import { repositoryLabel } from '../storage-move.js';
import { MoveFailure } from './run/move-failure.js';
import { MoveJournalService } from './run/move-journal.service.js';
import type { MoveRun } from './run/move-run.js';
import { MoveTimings } from './run/move-timings.js';

const OF_OWNER = `repository_id in (select id from repositories where owner_type = $1 and owner_id = $2)`;

const IS_LOST = `heartbeat_at < now() - $3 * interval '1 ms'`;

/**
 * Discards lost pushes that were not accepted, which then cannot be. The effects of accepted ones are looked
 * up by RecoverPushes.
 */
const GIVE_UP = `with given_up as (delete from running_pushes where ${OF_OWNER} and ${IS_LOST} and changes is null returning 1)
  select count(*)::int as count from given_up`;

const RUNNING = `select r.kind from running_pushes p join repositories r on r.id = p.repository_id
  where p.${OF_OWNER} and not (p.${IS_LOST}) limit 1`;

/** Waits until no push from before the move changes the repositories; later ones are rejected. */
@Injectable()
export class WaitForPushesStep {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly transactions: Transactions,
    private readonly journal: MoveJournalService,
    private readonly timings: MoveTimings,
  ) {}

  /** Waits for pushes. @throws MoveFailure if one takes too long */
  async run(run: MoveRun): Promise<void> {
    const { ownerType } = run.move;
    const end = performance.now() + this.timings.pushWaitMs;
    for (let running = await this.look(run); running !== null; running = await this.look(run)) {
      if (performance.now() >= end)
        throw new MoveFailure(`Timeout waiting for ${repositoryLabel(ownerType, running)} repository pushes`);
      await sleep(this.timings.pushPollMs, undefined, { signal: run.context.signal });
    }
    await this.journal.record(run, 'waited');
  }

  /** Returns the kind of a repository with a running push, or null. */
  private async look({ move }: MoveRun): Promise<RepositoryKind | null> {
    const values = [move.ownerType, move.ownerId, PUSH_LOST_AFTER_MS];
    return this.transactions.run(async (tx) => {
      const [lost] = await tx.query<[{ count: number }]>(GIVE_UP, values);
      if (lost.count > 0) this.logger.warn(`Move ${move.id} no longer waits for ${lost.count} lost pushes`);
      const [running] = await tx.query<{ kind: RepositoryKind }[]>(RUNNING, values);
      return running?.kind ?? null;
    });
  }
}
