import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor } from '#kernel/queue/job-processor.js';
import { CreateProductIssue } from '#core/issues/writes/create-product-issue.use-case.js';
import { AlertBotService } from '#core/users/internal/alert-bot.service.js';
import { ALERT_SEVERITIES } from '../alert-values.js';
import { incidentText, type IncidentAlert } from './incident-text.js';
import { OpenIncidentJob } from './open-incident.job.js';

/** The alert, locked, if it still requires an incident: checked again, because the alert may have changed. */
const FIND = `select a.project_id, a.iid, a.title, a.description, a.service, a.monitoring_tool, a.hosts, a.severity, a.started_at, a.runbook,
    a.query, a.incident_markdown, a.payload, (select e.name from environments e where e.id = a.environment_id) as environment
  from alerts a join alert_integrations n on n.id = a.integration_id and n.create_incident join projects p on p.id = a.project_id
  where a.id = $1 and a.issue_id is null and a.status in (0, 1) and not p.archived and not p.pending_delete
    and coalesce(p.settings->>'issues_access_level', 'enabled') <> 'disabled'
  for no key update of a`;

const LINK = `update alerts set issue_id = $2, updated_at = ${STATEMENT_TIME} where id = $1`;

interface AlertRow extends Omit<IncidentAlert, 'severity'> {
  readonly severity: number;
}

/** Opens one incident for an alert as the alert bot, regardless of rights in the project; idempotent. */
@Injectable()
export class OpenIncidentProcessor extends JobProcessor<Readonly<{ alertId: number }>> {
  readonly job = OpenIncidentJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly issues: CreateProductIssue,
    private readonly bot: AlertBotService,
    private readonly config: Config,
  ) {
    super();
  }

  async process({ alertId }: { alertId: number }): Promise<void> {
    const authorId = await this.bot.id();
    await this.transactions.run(async (tx) => {
      const [alert] = await tx.query<AlertRow[]>(FIND, [alertId]);
      if (!alert) return;
      const severity = ALERT_SEVERITIES[alert.severity] ?? 'unknown';
      const issueId = await this.issues.run(tx, {
        projectId: alert.project_id,
        authorId,
        title: alert.title,
        description: incidentText({ ...alert, severity }, this.config.externalUrl),
        issueType: 'incident',
        severity,
        // Texts of the alert do not mention users: the right to send alerts must not allow notifying everyone.
        mentioning: alert.incident_markdown,
      });
      await tx.query(LINK, [alertId, issueId]);
    });
  }
}
