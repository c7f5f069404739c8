import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds, processApart } from '#kernel/queue/rows-apart.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import type { MemberSource } from '#core/members/member.entity.js';
import { PruneGroupLinksJob } from './prune-group-links.job.js';

const BATCH = 100;

interface Expired {
  readonly source_type: MemberSource;
  readonly source_id: number;
  readonly path: string | null;
  readonly group_id: number;
  readonly group_path: string;
}

const OVER = 'expires_at <= current_date';

const NEXT = `select id from group_links where ${OVER} and id > $1 order by id limit ${BATCH}`;

const REMOVE = `with over as (
    delete from group_links where id in (
      select id from group_links where id = any($1::bigint[]) and ${OVER} order by id for update skip locked)
    returning source_type, source_id, group_id)
  select o.*, g.full_path as group_path, coalesce(p.full_path, n.full_path) as path from over o
    join namespaces g on g.id = o.group_id
    left join projects p on o.source_type = 'Project' and p.id = o.source_id
    left join namespaces n on o.source_type = 'Namespace' and n.id = o.source_id`;

/** Removes expired shares in batches, each with an audit event. */
@Injectable()
export class PruneGroupLinksProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = PruneGroupLinksJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLogService,
  ) {
    super();
  }

  process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    const expired = {
      what: 'expired shares',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      process: (tx: Tx, ids: readonly number[]) => this.remove(tx, ids),
    };
    return processApart(this.transactions, expired, signal);
  }

  private async remove(tx: Tx, ids: readonly number[]): Promise<void> {
    const expired = await tx.query<Expired[]>(REMOVE, [ids]);
    for (const { source_type, source_id, path, group_id, group_path } of expired) {
      const type = source_type === 'Project' ? 'Project' : 'Group';
      const target = { type: 'Group', id: group_id, details: group_path };
      await this.audit.record(tx, null, { type, id: source_id, path: path ?? '' }, target, {
        customMessage: 'Share with a group expired',
      });
    }
  }
}
