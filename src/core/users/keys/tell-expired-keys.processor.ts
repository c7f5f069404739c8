import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds } from '#kernel/queue/rows-apart.js';
import type { NoticeContent } from '../events/account-notice.event.js';
import { AccountNoticesService, NEWS_BATCH, type Told } from '../events/account-notices.service.js';
import { TellExpiredKeysJob } from './tell-expired-keys.job.js';

/** Keys that expired within the last week and whose owners have not been notified. */
const UNTOLD = `expires_at <= now() and expires_at > now() - interval '7 days' and not expiry_told`;

interface ToldKeys extends Told {
  readonly names: readonly string[];
}

const NEXT = `select user_id as id from ssh_keys where ${UNTOLD} and user_id > $1 group by user_id order by user_id limit ${NEWS_BATCH}`;

const NOTE = `with told as (update ssh_keys set expiry_told = true where user_id = any($1::bigint[]) and ${UNTOLD} returning id, user_id, title)
    select array[user_id] as readers, array_agg(title order by id) as names from told group by user_id order by user_id`;

/** Notifies each owner once per key. */
@Injectable()
export class TellExpiredKeysProcessor extends JobProcessor {
  readonly job = TellExpiredKeysJob;

  constructor(private readonly notices: AccountNoticesService) {
    super();
  }

  process(_payload: object, { signal }: JobContext): Promise<void> {
    const untold = {
      what: 'owners of expired keys',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      take: async (tx: Tx, owners: readonly number[]) => {
        const rows = await tx.query<ToldKeys[]>(NOTE, [owners]);
        return rows.map((row) => ({ readers: row.readers, content: contentOf(row) }));
      },
    };
    return this.notices.tellAll(untold, signal);
  }
}

const contentOf = ({ names }: ToldKeys): NoticeContent => ({ kind: 'keys_expired', names });
