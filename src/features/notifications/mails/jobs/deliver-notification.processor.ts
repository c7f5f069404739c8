import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';
import { Transactions } from '#kernel/database/transactions.js';
import { composeMail, type ComposedMail } from '#kernel/mail/composed-mail.js';
import { assertMail } from '#kernel/mail/mail.js';
import { MailTransport } from '#kernel/mail/mail-transport.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RecipientsService } from '../../recipients/recipients.service.js';
import { DeliverNotificationJob } from './deliver-notification.job.js';
import { messageIdOf } from '../mail-headers.js';
import { MailSceneQueries } from '../mail-scene.queries.js';
import { notificationMail } from '../notification.mail.js';

const SENT = 'update sent_notifications set mailed_at = now() where id = $1 and mailed_at is null';

/**
 * Composes and sends a mail. Checks at each attempt, right before sending, whether its reader may still be
 * notified: a former member gets nothing. All attempts of a mail have the same Message-ID.
 */
@Injectable()
export class DeliverNotificationProcessor extends JobProcessor<Readonly<{ sentNotificationId: number }>> {
  readonly job = DeliverNotificationJob;

  constructor(
    private readonly config: Config,
    private readonly transactions: Transactions,
    private readonly queries: MailSceneQueries,
    private readonly recipients: RecipientsService,
    private readonly transport: MailTransport,
  ) {
    super();
  }

  async process(
    { sentNotificationId: id }: { sentNotificationId: number },
    { jobId, signal }: JobContext,
  ): Promise<void> {
    if (await this.transport.send(() => this.compose(id, jobId), signal))
      await this.transactions.run((tx) => tx.query(SENT, [id]));
  }

  /**
   * Composes the mail; null if it was sent, or its reader may not get it. The right to read is checked after
   * reading, so that it covers what was read.
   */
  private async compose(id: number, jobId: number): Promise<ComposedMail | null> {
    const wanted = await this.queries.wanted(id);
    const scene = wanted && (await this.queries.scene(wanted));
    const address = scene && (await this.recipients.addressNow(wanted.event, wanted.userId));
    if (!address) return null;
    const { externalUrl, MAIL_FROM: from, MAIL_HEADER_PREFIX: headerPrefix } = this.config;
    const mail = notificationMail(scene, address, { base: externalUrl, headerPrefix });
    assertMail(mail);
    const messageId = messageIdOf(wanted.key, new URL(externalUrl).hostname);
    return composeMail(mail, { from, messageId, date: wanted.createdAt, jobId });
  }
}
