import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds, processApart } from '#kernel/queue/rows-apart.js';
import { MembershipChanged, type ToldMembership } from '../membership-changed.event.js';
import { TellMemberExpiryJob } from './tell-member-expiry.job.js';

/** Memberships per transaction. */
const BATCH = 100;

/** If the expiry changes, the member is notified again. */
const UNTOLD = `expires_at > current_date and expires_at <= current_date + 7 and expiry_told_for is distinct from expires_at`;

const NEXT = `select id from members where ${UNTOLD} and id > $1 order by id limit ${BATCH}`;

const TELL = `update members set expiry_told_for = expires_at where id in (
    select id from members where id = any($1::bigint[]) and ${UNTOLD} order by id for update skip locked)
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

  process(_payload: object, { signal }: JobContext): Promise<void> {
    const untold = {
      what: 'memberships that end soon',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      process: (tx: Tx, ids: readonly number[]) => this.tell(tx, ids),
    };
    return processApart(this.transactions, untold, signal);
  }

  private async tell(tx: Tx, ids: readonly number[]): Promise<void> {
    // TypeORM returns the rows of an update together with their number.
    const [told] = await tx.query<[ToldMembership[], number]>(TELL, [ids]);
    for (const membership of told)
      await this.events.publish(tx, new MembershipChanged('expiring', membership, null));
  }
}
