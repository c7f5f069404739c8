import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { assertMail, type Mail } from './mail.js';
import { MAIL_PURPOSE, SendMailJob } from './send-mail.job.js';

/** A mail with the time at which it was wanted, as it is sealed into the job. */
export interface WantedMail extends Mail {
  /** ISO 8601. */
  readonly at: string;
}

/** Sends mails: they leave after the commit of the transaction that wants them, or never. */
@Injectable()
export class Mails {
  constructor(
    private readonly jobs: Jobs,
    private readonly box: SecretBox,
  ) {}

  /** @throws MailRefused for a mail that could carry another header or reader */
  async enqueue(tx: Tx, mail: Mail): Promise<void> {
    assertMail(mail);
    const wanted: WantedMail = { ...mail, at: new Date().toISOString() };
    await this.jobs.enqueue(tx, SendMailJob, { sealed: this.box.seal(JSON.stringify(wanted), MAIL_PURPOSE) });
  }
}
