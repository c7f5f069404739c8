import { Injectable } from '@nestjs/common';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import type { News } from '#core/users/events/account-notice.event.js';
import { AccountNoticesService, NEWS_BATCH } from '#core/users/events/account-notices.service.js';
import { TellTokenExpiryJob } from './tell-token-expiry.job.js';
import { noteExpirySql, UNTOLD_EXPIRY, type ToldTokens } from './token-expiry.sql.js';

const NOTE = `with owners as (
      select t.user_id from personal_access_tokens t join users u on u.id = t.user_id and u.bot_source_id is null
      where ${UNTOLD_EXPIRY} group by t.user_id order by t.user_id limit ${NEWS_BATCH}),
    told as (${noteExpirySql('select user_id from owners')})
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
    return this.notices.tellAll(async (tx) => {
      const rows = await tx.query<ToldTokens[]>(NOTE);
      return rows.map((row) => ({ readers: row.readers, news: newsOf(row) }));
    }, signal);
  }
}

const newsOf = ({ what, names }: ToldTokens): News => ({ kind: `tokens_${what}`, names });
