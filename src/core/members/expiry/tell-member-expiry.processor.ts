import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { MembershipChanged, type ToldMembership } from '../membership-changed.event.js';
import { TellMemberExpiryJob } from './tell-member-expiry.job.js';

/** Memberships per transaction. */
const BATCH = 100;

/** If the expiry changes, the member is notified again. */
const TELL = `update members set expiry_told_for = expires_at where id in (
    select id from members where expires_at > current_date and expires_at <= current_date + 7 and expiry_told_for is distinct from expires_at
    order by id limit ${BATCH} for update skip locked)
  returning user_id as "userId", source_type as "sourceType", source_id as "sourceId", access_level as "accessLevel", expires_at::text as "expiresAt"`;

/** Notifies of each membership once, by marking it in the same transaction. */
@Injectable()
export class TellMemberExpiryProcessor extends JobProcessor {
  readonly job = TellMemberExpiryJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
  ) {
    super();
  }

  async process(_payload: object, { signal }: JobContext): Promise<void> {
    while ((await this.transactions.run((tx) => this.tellSome(tx))) === BATCH) signal.throwIfAborted();
  }

  private async tellSome(tx: Tx): Promise<number> {
    // TypeORM returns the rows of an update together with their number.
    const [told] = await tx.query<[ToldMembership[], number]>(TELL);
    for (const membership of told)
      await this.events.publish(tx, new MembershipChanged('expiring', membership, null));
    return told.length;
  }
}
