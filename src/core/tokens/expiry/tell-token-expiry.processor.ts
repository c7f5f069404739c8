import { Injectable } from '@nestjs/common';
import type { News } from '#core/users/events/account-notice.event.js';
import { NEWS_BATCH, NewsProcessor } from '#core/users/events/news-processor.js';
import { TellTokenExpiryJob } from './tell-token-expiry.job.js';
import { noteExpirySql, UNTOLD_EXPIRY, type ToldTokens } from './token-expiry.sql.js';

/** Tells each owner once of each token; those of bots concern others. */
@Injectable()
export class TellTokenExpiryProcessor extends NewsProcessor<ToldTokens> {
  readonly job = TellTokenExpiryJob;

  protected readonly note = `with owners as (
      select t.user_id from personal_access_tokens t join users u on u.id = t.user_id and u.bot_source_id is null
      where ${UNTOLD_EXPIRY} group by t.user_id order by t.user_id limit ${NEWS_BATCH}),
    told as (${noteExpirySql('select user_id from owners')})
    select array[user_id] as readers, what, array_agg(name order by id) as names from told
    group by user_id, what order by user_id, what`;

  protected newsOf({ what, names }: ToldTokens): News {
    return { kind: `tokens_${what}`, names };
  }
}
