import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds, processApart } from '#kernel/queue/rows-apart.js';
import { UsersService } from '#core/users/users.service.js';
import { PruneBotsJob } from './prune-bots.job.js';

const BATCH = 100;

/** An expired token can still be rotated, so its bot is kept until the token is pruned. */
const USELESS = `u.bot_source_id is not null and not u.pending_delete and (
    not exists (select 1 from personal_access_tokens t where t.user_id = u.id and not t.revoked)
    or (u.bot_source_type = 'Project' and not exists (select 1 from projects p where p.id = u.bot_source_id and not p.pending_delete))
    or (u.bot_source_type = 'Namespace'
      and not exists (select 1 from namespaces n where n.id = u.bot_source_id and not n.pending_delete)))`;

const NEXT = `select u.id from users u where ${USELESS} and u.id > $1 order by u.id limit ${BATCH}`;

const LOCK = `select u.id from users u where u.id = any($1::bigint[]) and ${USELESS} order by u.id for update of u skip locked`;

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

  process(_payload: object, { signal }: JobContext): Promise<void> {
    const useless = {
      what: 'useless bots',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      process: (tx: Tx, ids: readonly number[]) => this.remove(tx, ids),
    };
    return processApart(this.transactions, useless, signal);
  }

  private async remove(tx: Tx, ids: readonly number[]): Promise<void> {
    const bots = await tx.query<{ id: number }[]>(LOCK, [ids]);
    for (const { id } of bots) await this.users.removeBot(tx, id);
  }
}
