import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { nextIds, processApart } from '#kernel/queue/rows-apart.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { MemberRemoved } from '../member-removed.event.js';
import { MembersService } from '../members.service.js';
import type { MemberSource } from '../member.entity.js';
import { PruneMembersJob } from './prune-members.job.js';

const BATCH = 100;

interface Expired {
  readonly user_id: number;
  readonly name: string;
  readonly source_type: MemberSource;
  readonly source_id: number;
  readonly path: string | null;
}

const OVER = 'expires_at <= current_date';

const NEXT = `select id from members where ${OVER} and id > $1 order by id limit ${BATCH}`;

const REMOVE = `with over as (
    delete from members where id in (
      select id from members where id = any($1::bigint[]) and ${OVER} order by id for update skip locked)
    returning user_id, source_type, source_id)
  select o.*, u.name, coalesce(p.full_path, n.full_path) as path from over o join users u on u.id = o.user_id
    left join projects p on o.source_type = 'Project' and p.id = o.source_id
    left join namespaces n on o.source_type = 'Namespace' and n.id = o.source_id`;

/** Removes expired memberships in batches, each with an audit event. */
@Injectable()
export class PruneMembersProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = PruneMembersJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly events: DomainEvents,
    private readonly members: MembersService,
    private readonly audit: AuditLogService,
  ) {
    super();
  }

  process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    const expired = {
      what: 'expired memberships',
      next: (tx: Tx, after: number | null) => nextIds(tx, NEXT, after),
      process: (tx: Tx, ids: readonly number[]) => this.remove(tx, ids),
    };
    return processApart(this.transactions, expired, signal);
  }

  private async remove(tx: Tx, ids: readonly number[]): Promise<void> {
    for (const one of await tx.query<Expired[]>(REMOVE, [ids])) await this.tell(tx, one);
  }

  private async tell(tx: Tx, { user_id, name, source_type, source_id, path }: Expired): Promise<void> {
    const type = source_type === 'Project' ? 'Project' : 'Group';
    const target = { type: 'User', id: user_id, details: name };
    await this.audit.record(tx, null, { type, id: source_id, path: path ?? '' }, target, {
      customMessage: 'Membership expired',
    });
    await this.events.publish(tx, new MemberRemoved(user_id, source_type, source_id, false));
    const membership = { userId: user_id, sourceType: source_type, sourceId: source_id };
    await this.members.tell(tx, 'expired', membership);
  }
}
