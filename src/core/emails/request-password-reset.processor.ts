import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { UserAddresses } from '#core/users/user-addresses.js';
import { MailThrottle } from './mail-throttle.js';
import { PasswordResets } from './password-resets.service.js';
import { REQUEST_PURPOSE, RequestPasswordReset, type SealedAddress } from './request-password-reset.job.js';

/** Mails a link to the active person who has confirmed the address; for all others nothing happens. */
@Injectable()
export class RequestPasswordResetProcessor extends JobProcessor<SealedAddress> {
  readonly job = RequestPasswordReset;

  constructor(
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
    private readonly addresses: UserAddresses,
    private readonly throttle: MailThrottle,
    private readonly resets: PasswordResets,
  ) {
    super();
  }

  async process({ sealed }: SealedAddress, context: JobContext): Promise<void> {
    const address = this.box.open(sealed, REQUEST_PURPOSE);
    await this.transactions.run(async (tx) => {
      const user = await this.addresses.ownerOrNull(tx, address);
      if (user && (await this.throttle.admit('reset', user.id, user.email))) await this.resets.send(tx, user);
      await context.complete(tx);
    });
  }
}
