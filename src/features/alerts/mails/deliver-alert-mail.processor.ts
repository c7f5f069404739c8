import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { composeMail, type ComposedMail } from '#kernel/mail/composed-mail.js';
import { assertMail } from '#kernel/mail/mail.js';
import { MailTransport } from '#kernel/mail/mail-transport.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { alertMail } from './alert.mail.js';
import { AlertMailQueries } from './alert-mail.queries.js';
import { AlertReadersQueries } from './alert-readers.queries.js';
import { DeliverAlertMailJob, type AlertMailPayload } from './deliver-alert-mail.job.js';

/**
 * Composes and sends a mail about alerts. Checks at each attempt, right before sending, whether its recipient
 * may still be notified. All attempts have the same Message-ID.
 */
@Injectable()
export class DeliverAlertMailProcessor extends JobProcessor<AlertMailPayload> {
  readonly job = DeliverAlertMailJob;

  constructor(
    private readonly config: Config,
    private readonly queries: AlertMailQueries,
    private readonly readers: AlertReadersQueries,
    private readonly transport: MailTransport,
  ) {
    super();
  }

  async process(payload: AlertMailPayload, { jobId, signal }: JobContext): Promise<void> {
    await this.transport.send(() => this.compose(payload, jobId), signal);
  }

  /** Composes the mail; null if it has no alerts or no recipient. */
  private async compose(
    { userId, projectId, alertIds, further, at }: AlertMailPayload,
    jobId: number,
  ): Promise<ComposedMail | null> {
    const project = await this.queries.project(projectId);
    const alerts = await this.queries.alerts(projectId, alertIds);
    const to = await this.readers.addressNow(projectId, userId);
    if (to === null || !project || alerts.length === 0) return null;
    const { externalUrl, MAIL_FROM: from, MAIL_HEADER_PREFIX: headerPrefix } = this.config;
    const mail = alertMail({ to, project, alerts, further }, { base: externalUrl, headerPrefix });
    assertMail(mail);
    const date = new Date(at);
    const messageId = `alerts_${jobId}.${date.getTime()}@${new URL(externalUrl).hostname}`;
    return composeMail(mail, { from, messageId, date, jobId });
  }
}
