import { Injectable, type OnModuleInit } from '@nestjs/common';
import { runDeferred, runPrepared } from '#kernel/database/statements/prepared.js';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { ActivityHappened } from '#core/activity/activity-happened.event.js';
import { AlertsChanged, type AlertChange } from '../alerts-changed.event.js';
import { GatherAlertMailsJob } from '../mails/gather-alert-mails.job.js';
import { CloseIncidentJob } from './close-incident.job.js';
import { OpenIncidentJob } from './open-incident.job.js';

/** What the integration of an alert requests. */
interface Wanted {
  readonly id: number;
  readonly project_id: number;
  readonly opens: boolean;
  readonly closes: boolean;
  readonly mails: boolean;
}

/**
 * The job for the incident of a new alert is already enqueued: repetitions enqueue another only if the
 * integration was changed since, or the incident was removed.
 */
const IS_NEW = `a.created_at > now() - interval '15 seconds'`;

const WANTED = {
  name: 'alerts_wanted',
  text: `select id, project_id, opens, closes, mails from (
    select a.id, a.project_id,
      n.create_incident and a.issue_id is null and a.status in (0, 1)
        and (a.id = any($2::bigint[]) or (a.id = any($3::bigint[]) and not ${IS_NEW})) as opens,
      n.auto_close_incident and a.status = 2 and i.state is not distinct from 'opened' as closes,
      n.send_email and a.status in (0, 2) and a.id = any($4::bigint[]) as mails
    from alerts a join alert_integrations n on n.id = a.integration_id left join issues i on i.id = a.issue_id
    where a.id = any($1::bigint[])) w
  where opens or closes or mails order by id`,
};

/** Changes within this time are combined in one mail. */
const TOGETHER_MS = 1_000;

const NOTE = `insert into alert_notices (alert_id, project_id) select id, project_id from alerts where id = any($1::bigint[]) order by id
  on conflict (alert_id) do nothing`;

/**
 * Closing the incident resolves its alert; reopening it does not reopen the alert. Nothing else follows: the
 * incident is already closed, and the user who closed it needs no mail.
 */
const RESOLVE = `update alerts set status = 2, ended_at = ${STATEMENT_TIME}, updated_at = ${STATEMENT_TIME} where issue_id = $1 and status <> 2`;

/** Enqueues incidents and mails for alerts, and resolves the alert of a closed incident. */
@Injectable()
export class IncidentsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(AlertsChanged, (changed, tx) => this.follow(changed, tx));
    this.events.on(ActivityHappened, async ({ action, target }, tx) => {
      if (action === 'closed' && target?.type === 'Issue') await runDeferred(tx, RESOLVE, [target.id]);
    });
  }

  private async follow({ changes: all }: AlertsChanged, tx: Tx): Promise<void> {
    const changes = all.filter(({ isWanted }) => isWanted !== false);
    if (changes.length === 0) return;
    const idsOf = (kinds: readonly AlertChange['kind'][]): number[] =>
      changes.filter(({ kind }) => kinds.includes(kind)).map(({ alertId }) => alertId);
    // Users need no mail about their own changes, and repetitions are not news.
    const told = idsOf(['created', 'resolved']);
    const ids = changes.map(({ alertId }) => alertId);
    const values = [ids, idsOf(['created']), idsOf(['repeated']), told];
    const wanted = await runPrepared<Wanted>(tx, WANTED, values);
    const thoseThat = (want: 'opens' | 'closes' | 'mails'): { alertId: number }[] =>
      wanted.filter((one) => one[want]).map(({ id }) => ({ alertId: id }));
    await this.jobs.enqueueAll(tx, OpenIncidentJob, thoseThat('opens'));
    await this.jobs.enqueueAll(tx, CloseIncidentJob, thoseThat('closes'));
    const mailed = wanted.filter(({ mails }) => mails);
    if (mailed.length === 0) return;
    await runDeferred(tx, NOTE, [mailed.map(({ id }) => id)]);
    // In a fixed order, because waiting jobs are locked.
    const projectIds = [...new Set(mailed.map((one) => one.project_id))].sort((left, right) => left - right);
    for (const projectId of projectIds)
      await this.jobs.enqueue(tx, GatherAlertMailsJob, { projectId }, { delayMs: TOGETHER_MS });
  }
}
