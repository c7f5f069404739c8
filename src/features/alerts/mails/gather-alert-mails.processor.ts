import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { AlertReadersQueries } from './alert-readers.queries.js';
import { DeliverAlertMailJob } from './deliver-alert-mail.job.js';
import { GatherAlertMailsJob } from './gather-alert-mails.job.js';

const THROTTLE = 'alert_mails';

/**
 * Limit of mails per project and recipient in five minutes; further alerts are combined in one mail
 * afterwards.
 */
const MAILS = 5;
const PERIOD_SECONDS = 300;

/** Limit of alerts that a mail lists; it counts the others. */
const NAMED = 20;

/** Alerts gathered at once. */
const BATCH = 10_000;

/**
 * The alerts that wait for a mail of a project. Only the index by project has this order, so that the planner takes no other one: with
 * statistics from a flood of one project, it would read the whole table for every other mail.
 */
const waiting = (selected: string): string =>
  `select ${selected} from alert_notices where project_id = any(array[$1::bigint]) order by project_id, alert_id`;

const TAKE = `with taken as (delete from alert_notices where alert_id = any(array(
      ${waiting('alert_id')} limit ${BATCH} for update)) returning alert_id)
  select a.id from taken t join alerts a on a.id = t.alert_id where a.status in (0, 2) order by a.id`;

const REST = `${waiting('1')} limit 1`;

/**
 * Gathers the alerts of a project into one mail per maintainer. A flood of alerts does not become a flood of
 * mails: above the limit they wait, and are combined.
 */
@Injectable()
export class GatherAlertMailsProcessor extends JobProcessor<Readonly<{ projectId: number }>> {
  readonly job = GatherAlertMailsJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly readers: AlertReadersQueries,
    private readonly limiter: RateLimiter,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async process({ projectId }: { projectId: number }): Promise<void> {
    const key = String(projectId);
    const { allowed, retryAfter } = await this.limiter.look(THROTTLE, key, MAILS);
    if (!allowed) {
      const options = { delayMs: retryAfter * 1000 };
      await this.transactions.run((tx) => this.jobs.enqueue(tx, GatherAlertMailsJob, { projectId }, options));
      return;
    }
    const readers = (await this.readers.of(projectId)).map(({ userId }) => userId);
    const isTold = await this.transactions.run((tx) => this.want(tx, projectId, readers));
    if (isTold) await this.limiter.hit(THROTTLE, key, MAILS, PERIOD_SECONDS);
  }

  /** Enqueues one mail per recipient; returns whether there is anything to report. */
  private async want(tx: Tx, projectId: number, readers: readonly number[]): Promise<boolean> {
    const alerts = await tx.query<{ id: number }[]>(TAKE, [projectId]);
    const ids = alerts.map(({ id }) => id);
    const said = { projectId, alertIds: ids.slice(0, NAMED), further: Math.max(0, ids.length - NAMED) };
    const at = new Date().toISOString();
    const isTold = ids.length > 0 && readers.length > 0;
    if (isTold)
      await this.jobs.enqueueAll(
        tx,
        DeliverAlertMailJob,
        readers.map((userId) => ({ ...said, userId, at })),
      );
    const [rest] = await tx.query<unknown[]>(REST, [projectId]);
    if (rest) await this.jobs.enqueue(tx, GatherAlertMailsJob, { projectId });
    return isTold;
  }
}
