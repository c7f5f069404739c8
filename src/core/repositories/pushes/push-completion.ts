import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { Settings } from '#core/instance/settings.service.js';
import { MeasureRepository } from '../measure/measure-repository.job.js';
import type { OpenRepository } from '../repositories.service.js';
import { describeChanges } from './describe-changes.js';
import { pushPayloads } from './push-payload.js';
import type { RefChange } from './ref-change.js';
import { RefsPushed } from './refs-pushed.event.js';
import { RunningPushes } from './running-pushes.js';

const TAKE = `delete from running_pushes where id = $1 returning user_id, push_options`;

/** Takes note of what a push has changed: its event, once, in the transaction that ends the push. */
@Injectable()
export class PushCompletion {
  constructor(
    private readonly transactions: Transactions,
    private readonly running: RunningPushes,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly settings: Settings,
  ) {}

  /** Ends a push that changed these refs; without any it is only forgotten. */
  async finish(id: string, repository: OpenRepository, changes: readonly RefChange[]): Promise<void> {
    this.running.release(id);
    const described =
      repository.ownerType === 'Project' && repository.kind === 'code'
        ? await describeChanges(repository.path, changes)
        : [];
    const payloads = pushPayloads(described, this.settings.values.push_event_activities_limit);
    await this.transactions.run(async (tx) => {
      const [row] = await taken(tx, id);
      if (!row || changes.length === 0) return;
      await tx.query('update repositories set pushed_at = now(), updated_at = now() where id = $1', [
        repository.id,
      ]);
      const { id: repositoryId, ownerType, ownerId, kind } = repository;
      const ref = { id: repositoryId, ownerType, ownerId, kind };
      await this.events.publish(tx, new RefsPushed(ref, row.user_id, changes, row.push_options, payloads));
      await this.jobs.enqueue(tx, MeasureRepository, { repositoryId });
    });
  }
}

type TakenRow = { readonly user_id: number | null; readonly push_options: string[] };

/** TypeORM gives rows and their number for a statement that deletes. */
async function taken(tx: Tx, id: string): Promise<TakenRow[]> {
  const [rows] = await tx.query<[TakenRow[], number]>(TAKE, [id]);
  return rows;
}
