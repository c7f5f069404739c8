import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { Config } from '#kernel/config/config.js';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { countMail } from '#kernel/log/metrics.js';
import { JobProcessor, PermanentFailure, type JobContext } from '#kernel/queue/job-processor.js';
import { composeMail } from './composed-mail.js';
import { assertMail, MailRefused } from './mail.js';
import { MailTransport } from './mail-transport.js';
import type { WantedMail } from './mails.js';
import { MAIL_PURPOSE, SendMailJob, type SealedMail } from './send-mail.job.js';

/** Passes emails to the transport. All attempts of a job send the same message with the same Message-ID. */
@Injectable()
export class SendMailProcessor extends JobProcessor<SealedMail> {
  readonly job = SendMailJob;

  constructor(
    private readonly config: Config,
    private readonly box: SecretBox,
    private readonly transport: MailTransport,
  ) {
    super();
  }

  async process({ sealed }: SealedMail, { jobId, signal }: JobContext): Promise<void> {
    const mail = this.open(sealed);
    // The digest distinguishes installations of the same name, or one that was set up again.
    const digest = createHash('sha256').update(sealed).digest('hex').slice(0, 16);
    const messageId = `job-${jobId}.${digest}@${new URL(this.config.externalUrl).hostname}`;
    const date = new Date(mail.at);
    const composed = await composeMail(mail, { from: this.config.MAIL_FROM, messageId, date, jobId });
    try {
      await this.transport.send(() => Promise.resolve(composed), signal);
    } catch (error) {
      countMail('failed');
      throw error;
    }
    countMail('sent');
  }

  /** @throws PermanentFailure for what no attempt can send */
  private open(sealed: string): WantedMail {
    try {
      const mail = JSON.parse(this.box.open(sealed, MAIL_PURPOSE)) as WantedMail;
      assertMail(mail);
      return mail;
    } catch (error) {
      if (error instanceof SecretUnreadable || error instanceof MailRefused)
        throw new PermanentFailure(error.message, { cause: error });
      throw error;
    }
  }
}
