import { Injectable } from '@nestjs/common';
import type { News } from '../events/account-notice.event.js';
import { NEWS_BATCH, NewsProcessor, type Told } from '../events/news-processor.js';
import { TellExpiredKeysJob } from './tell-expired-keys.job.js';

/** Keys that have expired within the last week and of which their owners have not been told. */
const UNTOLD = `expires_at <= now() and expires_at > now() - interval '7 days' and not expiry_told`;

interface ToldKeys extends Told {
  readonly names: readonly string[];
}

/** Tells each owner once of each key. */
@Injectable()
export class TellExpiredKeysProcessor extends NewsProcessor<ToldKeys> {
  readonly job = TellExpiredKeysJob;

  protected readonly note = `with owners as (
      select k.user_id from ssh_keys k where ${UNTOLD} group by k.user_id order by k.user_id limit ${NEWS_BATCH}),
    told as (update ssh_keys set expiry_told = true where user_id in (select user_id from owners) and ${UNTOLD} returning id, user_id, title)
    select array[user_id] as readers, array_agg(title order by id) as names from told group by user_id order by user_id`;

  protected newsOf({ names }: ToldKeys): News {
    return { kind: 'keys_expired', names };
  }
}
