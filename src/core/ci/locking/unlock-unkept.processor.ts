import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { UnlockUnkeptJob } from './unlock-unkept.job.js';

/** If the instance does not keep the latest artifacts. */
const ALL = 'select id from ci_pipelines where locked order by project_id, ref, id limit 500';

/** Otherwise the setting of the project decides. */
const OF_PROJECTS = `select own.id from projects o
  cross join lateral (select id from ci_pipelines where project_id = o.id and locked limit 500) own
  where o.settings -> 'keep_latest_artifact' = 'false' limit 500`;

const unlock = (candidates: string): string => `with candidates as materialized (${candidates}),
  chosen as (
    select p.id from ci_pipelines p where p.id in (select id from candidates) and p.locked order by p.id for no key update),
  unlocked as (update ci_pipelines p set locked = false from chosen c where p.id = c.id returning p.id)
  select count(*)::int as count from unlocked`;

/** Works in batches. */
@Injectable()
export class UnlockUnkeptProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = UnlockUnkeptJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly settings: SettingsService,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const none = !(await this.settings.fresh()).keep_latest_artifact;
      const [row] = await this.transactions.run((tx) =>
        tx.query<{ count: number }[]>(unlock(none ? ALL : OF_PROJECTS)),
      );
      if (!row?.count) return;
    }
  }
}
