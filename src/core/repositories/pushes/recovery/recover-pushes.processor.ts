import { Injectable, Logger } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RepositoriesService } from '../../repositories.service.js';
import type { RepositoryRef } from '../../repository-ref.js';
import { doneChanges } from '../done-changes.js';
import { PushCompletionService } from './push-completion.service.js';
import { LOST, RecoverPushesJob } from './recover-pushes.job.js';
import type { RefChange } from '../ref-change.js';

const BATCH = 100;

const FIND = `select p.id, p.changes, r.owner_type as "ownerType", r.owner_id as "ownerId", r.kind
  from running_pushes p join repositories r on r.id = p.repository_id
  where p.${LOST} and p.id > $1 order by p.id limit ${BATCH}`;

/** A git process may outlive its parent, and still make the accepted changes. */
const FORGET = `delete from running_pushes where id = $1 and ${LOST}
  and (changes is null or heartbeat_at < now() - interval '10 minutes')`;

interface LostPush extends RepositoryRef {
  readonly id: string;
  readonly changes: readonly RefChange[] | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Ends pushes without a process: records their effective changes and discards the rest. */
@Injectable()
export class RecoverPushesProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = RecoverPushesJob;
  private readonly logger = new Logger(RecoverPushesProcessor.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly completion: PushCompletionService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    let last = FIRST_ID;
    for (;;) {
      const pushes = await this.database.long<LostPush>(FIND, [last]);
      for (const push of pushes) {
        signal.throwIfAborted();
        await this.recover(push);
      }
      last = pushes.at(-1)?.id ?? last;
      if (pushes.length < BATCH) return;
    }
  }

  /** A push that cannot be examined now does not block the others: the next run retries it. */
  private async recover(push: LostPush): Promise<void> {
    try {
      const repository = push.changes && (await this.repositories.openOrNull(push));
      // A move does not wait for lost pushes, so their effects must not be written during it.
      if (repository?.readOnly) return;
      const done = repository ? await doneChanges(repository.path, push.changes) : [];
      if (repository && done.length > 0) {
        await this.completion.note(push.id, repository, done);
        this.logger.warn(`Lost push ${push.id} is processed now`);
      } else await this.transactions.run((tx) => tx.query(FORGET, [push.id]));
    } catch (error) {
      this.logger.error(`Push ${push.id} cannot be checked: ${String(error)}`);
    }
  }
}
