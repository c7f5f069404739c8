import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { MailLimit } from '../mail.limit.js';
import { RequestLinkJob, requestPurpose, type LinkKind } from './request-link.job.js';

/** Accepts requests for links from users who cannot sign in. */
@Injectable()
export class RequestLink {
  constructor(
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
    private readonly box: SecretBox,
    private readonly throttle: MailLimit,
  ) {}

  /**
   * Records a request for a link to the account of this address. A job looks for the account, so that effect
   * and duration of the request do not reveal whether there is one.
   * @throws 429 if the client sends too many requests
   */
  async run(kind: LinkKind, address: string): Promise<void> {
    await this.throttle.admitClient();
    const sealed = this.box.seal(address, requestPurpose(kind));
    await this.transactions.run((tx) => this.jobs.enqueue(tx, RequestLinkJob, { kind, sealed }));
  }
}
