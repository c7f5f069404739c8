import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { Issue } from '#core/issues/issue.entity.js';
import { IssuesService } from '#core/issues/issues.service.js';
import { AlertBotService } from '#core/users/internal/alert-bot.service.js';
import { CloseIncidentJob } from './close-incident.job.js';

const INCIDENT = 'select issue_id from alerts where id = $1 and issue_id is not null';

/**
 * Whether the alert is still resolved, checked after locking its incident: closing incidents uses this lock
 * order.
 */
const IS_OVER = `select 1 from alerts a join alert_integrations n on n.id = a.integration_id and n.auto_close_incident
  where a.id = $1 and a.issue_id = $2 and a.status = 2 for share of a`;

const NOTE = {
  action: 'closed',
  body: 'automatically closed this incident because the alert resolved.',
} as const;

/** Closes the incident of a resolved alert as the alert bot; does nothing if it is closed. */
@Injectable()
export class CloseIncidentProcessor extends JobProcessor<Readonly<{ alertId: number }>> {
  readonly job = CloseIncidentJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly issues: IssuesService,
    private readonly bot: AlertBotService,
  ) {
    super();
  }

  async process({ alertId }: { alertId: number }): Promise<void> {
    const botId = await this.bot.id();
    await this.transactions.run(async (tx) => {
      const [alert] = await tx.query<{ issue_id: number }[]>(INCIDENT, [alertId]);
      if (!alert) return;
      const { issue_id: id } = alert;
      const issue = await tx.findOne(Issue, { where: { id }, lock: { mode: 'for_no_key_update' } });
      const [isOver] = await tx.query<unknown[]>(IS_OVER, [alertId, id]);
      if (issue && isOver) await this.issues.close(tx, issue, botId, NOTE);
    });
  }
}
