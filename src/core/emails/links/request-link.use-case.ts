import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MailLimit } from '../mail.limit.js';
import { RequestLinkJob, requestPurpose, type LinkKind } from './request-link.job.js';

/** Takes the wishes for links of people who cannot sign in. */
@Injectable()
export class RequestLink {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly box: SecretBox,
    private readonly throttle: MailLimit,
  ) {}

  /**
   * Notes that somebody wants a link for the account of this address. A job looks whether there is one: what the request does
   * and how long it takes is the same either way.
   * @throws 429 for a client that asks too often
   */
  async run(kind: LinkKind, address: string): Promise<void> {
    await this.throttle.admitClient();
    const sealed = this.box.seal(address, requestPurpose(kind));
    await this.transactions.run((tx) => this.jobs.enqueue(tx, RequestLinkJob, { kind, sealed }));
  }
}
