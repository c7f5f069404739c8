import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { UsersService } from '#core/users/users.service.js';
import { PruneBotsJob } from './prune-bots.job.js';

const BATCH = 100;

/** An expired token can still be rotated, so its bot is kept until the token is pruned. */
const USELESS = `select u.id from users u where u.bot_source_id is not null and not u.pending_delete and (
    not exists (select 1 from personal_access_tokens t where t.user_id = u.id and not t.revoked)
    or (u.bot_source_type = 'Project' and not exists (select 1 from projects p where p.id = u.bot_source_id and not p.pending_delete))
    or (u.bot_source_type = 'Namespace'
      and not exists (select 1 from namespaces n where n.id = u.bot_source_id and not n.pending_delete)))
  order by u.id limit ${BATCH} for update of u skip locked`;

/** Enqueues the removal of bots that can no longer be used. */
@Injectable()
export class PruneBotsProcessor extends JobProcessor {
  readonly job = PruneBotsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    while ((await this.removeSome()) === BATCH) signal.throwIfAborted();
  }

  private async removeSome(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const bots = await tx.query<{ id: number }[]>(USELESS);
      for (const { id } of bots) await this.users.removeBot(tx, id);
      return bots.length;
    });
  }
}
