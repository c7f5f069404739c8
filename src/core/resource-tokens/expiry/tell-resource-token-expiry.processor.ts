import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { groupOwnersSql, projectManagersSql } from '#core/members/sql/managers.sql.js';
import { noteExpirySql, UNTOLD_EXPIRY, type ToldTokens } from '#core/tokens/expiry/token-expiry.sql.js';
import type { NoticeContent } from '#core/users/events/account-notice.event.js';
import { AccountNoticesService, NEWS_BATCH } from '#core/users/events/account-notices.service.js';
import { TellResourceTokenExpiryJob } from './tell-resource-token-expiry.job.js';

/** Above the number of managers of any project or group. */
const MAX_READERS = 1_000;

const readers = (managers: string): string =>
  `array(select u.id from ${managers} order by u.id limit ${MAX_READERS})`;

/** Projects and groups that are being removed are skipped. */
const CONTAINERS = `select 'project' as kind, p.full_path as path, ${readers(projectManagersSql('p', 'n'))} as readers
    from projects p join namespaces n on n.id = p.namespace_id
    where d.source_type = 'Project' and p.id = d.source_id and not p.pending_delete
  union all select 'group', n.full_path, ${readers(groupOwnersSql('n'))} from namespaces n
    where d.source_type = 'Namespace' and n.id = d.source_id and not n.pending_delete`;

interface ToldOfContainer extends ToldTokens {
  readonly kind: 'project' | 'group';
  readonly path: string;
}

interface Container {
  readonly type: string;
  readonly id: number;
}

const NEXT = `select u.bot_source_type as type, u.bot_source_id as id from personal_access_tokens t
  join users u on u.id = t.user_id and u.bot_source_id is not null
  where ${UNTOLD_EXPIRY} and (u.bot_source_type, u.bot_source_id) > ($1, $2) group by 1, 2 order by 1, 2 limit ${NEWS_BATCH}`;

const NOTE = `with containers as (select * from unnest($1::text[], $2::bigint[]) p(bot_source_type, bot_source_id)),
    told as (${noteExpirySql('select b.id from users b join containers using (bot_source_type, bot_source_id)')}),
    due as (select b.bot_source_type as source_type, b.bot_source_id as source_id, t.what, array_agg(t.name order by t.id) as names
      from told t join users b on b.id = t.user_id group by 1, 2, 3)
    select d.what, d.names, coalesce(s.kind, 'project') as kind, coalesce(s.path, '') as path, coalesce(s.readers, '{}') as readers
    from due d left join lateral (${CONTAINERS}) s on true order by d.source_type, d.source_id, d.what`;

/** Notifies once per token: the Owners and Maintainers of its project, or the Owners of its group. */
@Injectable()
export class TellResourceTokenExpiryProcessor extends JobProcessor {
  readonly job = TellResourceTokenExpiryJob;

  constructor(private readonly notices: AccountNoticesService) {
    super();
  }

  process(_payload: object, { signal }: JobContext): Promise<void> {
    const untold = {
      what: 'projects and groups whose tokens expire',
      next: (tx: Tx, after: Container | null) =>
        tx.query<Container[]>(NEXT, [after?.type ?? '', after?.id ?? 0]),
      take: async (tx: Tx, containers: readonly Container[]) => {
        const keys = [containers.map(({ type }) => type), containers.map(({ id }) => id)];
        const rows = await tx.query<ToldOfContainer[]>(NOTE, keys);
        return rows.map((row) => ({ readers: row.readers, content: contentOf(row) }));
      },
    };
    return this.notices.tellAll(untold, signal);
  }
}

const contentOf = ({ what, names, kind, path }: ToldOfContainer): NoticeContent => ({
  kind: `resource_tokens_${what}`,
  names,
  container: `${kind} ${path}`,
});
