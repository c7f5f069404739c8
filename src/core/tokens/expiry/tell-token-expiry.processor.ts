import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds } from '#kernel/queue/rows-apart.js';
import type { NoticeContent } from '#core/users/events/account-notice.event.js';
import { AccountNoticesService, NEWS_BATCH } from '#core/users/events/account-notices.service.js';
import { TellTokenExpiryJob } from './tell-token-expiry.job.js';
import { noteExpirySql, UNTOLD_EXPIRY, type ToldTokens } from './token-expiry.sql.js';

const NEXT = `select t.user_id as id from personal_access_tokens t join users u on u.id = t.user_id and u.bot_source_id is null
  where ${UNTOLD_EXPIRY} and t.user_id > $1 group by t.user_id order by t.user_id limit ${NEWS_BATCH}`;

const NOTE = `with told as (${noteExpirySql('select unnest($1::bigint[])')})
    select array[user_id] as readers, what, array_agg(name order by id) as names from told
    group by user_id, what order by user_id, what`;

/** Notifies each owner once per token; tokens of bots are handled elsewhere. */
@Injectable()
export class TellTokenExpiryProcessor extends JobProcessor {
  readonly job = TellTokenExpiryJob;

  constructor(private readonly notices: AccountNoticesService) {
    super();
  }

  process(_payload: object, { signal }: JobContext): Promise<void> {
    const untold = {
      what: 'owners of tokens that expire',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      take: async (tx: Tx, owners: readonly number[]) => {
        const rows = await tx.query<ToldTokens[]>(NOTE, [owners]);
        return rows.map((row) => ({ readers: row.readers, content: contentOf(row) }));
      },
    };
    return this.notices.tellAll(untold, signal);
  }
}

const contentOf = ({ what, names }: ToldTokens): NoticeContent => ({ kind: `tokens_${what}`, names });
