import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { UserAddressesService } from '#core/users/addresses/user-addresses.service.js';
import { EmailConfirmationsService } from '../email-confirmations.service.js';
import { PasswordResetsService } from '../password-resets.service.js';
import { RequestLinkJob, requestPurpose, type LinkKind, type SealedRequest } from './request-link.job.js';

/** Mails a link to the person with the address; does nothing for other addresses. */
@Injectable()
export class RequestLinkProcessor extends JobProcessor<SealedRequest> {
  readonly job = RequestLinkJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
    private readonly addresses: UserAddressesService,
    private readonly resets: PasswordResetsService,
    private readonly confirmations: EmailConfirmationsService,
  ) {
    super();
  }

  async process({ kind, sealed }: SealedRequest, context: JobContext): Promise<void> {
    const address = this.box.open(sealed, requestPurpose(kind));
    await this.transactions.run(async (tx) => {
      await this.send(tx, kind, address);
      await context.complete(tx);
    });
  }

  private async send(tx: Tx, kind: LinkKind, address: string): Promise<void> {
    if (kind === 'reset') {
      const user = await this.addresses.ownerOrNull(tx, address);
      if (user) await this.resets.sendOnRequest(tx, user);
    } else {
      const user = await this.addresses.newcomerOrNull(tx, address);
      if (user) await this.confirmations.send(tx, user, user.email);
    }
  }
}
