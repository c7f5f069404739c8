import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { Settings } from '#core/instance/settings.service.js';
import { UnlockUnkept } from './unlock-unkept.job.js';

/** Projects have their own word; where the instance keeps none, they have none. */
const UNLOCK = `with chosen as (
    select p.id from ci_pipelines p where p.locked and ($1::boolean or p.project_id in (
      select id from projects where settings -> 'keep_latest_artifact' = 'false'))
    order by p.id limit 500 for no key update),
  unlocked as (update ci_pipelines p set locked = false from chosen c where p.id = c.id returning p.id)
  select count(*)::int as count from unlocked`;

/** Some at a time. */
@Injectable()
export class UnlockUnkeptProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = UnlockUnkept;

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: Settings,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const none = !this.settings.values.keep_latest_artifact;
      const [row] = await this.transactions.run((tx) => tx.query<{ count: number }[]>(UNLOCK, [none]));
      if (!row?.count) return;
    }
  }
}
