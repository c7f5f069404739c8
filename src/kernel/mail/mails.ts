import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { assertMail, type Mail } from './mail.js';
import { MAIL_PURPOSE, SendMailJob } from './send-mail.job.js';

/** An email with the time at which it was requested, as encrypted in the job. */
export interface WantedMail extends Mail {
  /** ISO 8601. */
  readonly at: string;
}

/** Sends emails after the transaction that enqueued them has committed. */
@Injectable()
export class Mails {
  constructor(
    private readonly jobs: Jobs,
    private readonly box: SecretBox,
  ) {}

  /** @throws MailRefused for an email that could contain another header or recipient */
  async enqueue(tx: Tx, mail: Mail): Promise<void> {
    assertMail(mail);
    const wanted: WantedMail = { ...mail, at: new Date().toISOString() };
    await this.jobs.enqueue(tx, SendMailJob, { sealed: this.box.seal(JSON.stringify(wanted), MAIL_PURPOSE) });
  }
}
