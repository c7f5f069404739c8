import { Injectable } from '@nestjs/common';
import type { Actor, GroupSubject, ProjectSubject } from '#kernel/access/caller.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { RateLimiter } from '#kernel/rate-limit/rate-limiter.js';
import { tooManyRequests } from '#kernel/rate-limit/too-many-requests.js';
import { AuditLogService } from '#core/audit/audit-log.service.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { OWNER_COLUMNS } from './relation-exports.queries.js';
import { ExportedRelationsService } from './relations/exported-relations.service.js';
import { WriteExportJob } from './writing/write-export.job.js';

/**
 * Limit of exports of a group or project that a user may start per minute: a migration starts one of each, so
 * that many are possible.
 */
const LIMIT = 6;
const PERIOD_SECONDS = 60;
const NAME = 'relation_exports';

const TABLES = { group: 'namespaces', project: 'projects' } as const satisfies Record<Portable, string>;

/** Keeps exports that wait in the same form: their jobs exist. */
const clear = (
  of: Portable,
): string => `delete from relation_exports e where e.${OWNER_COLUMNS[of]} = $1 and e.user_id = $2
  and not (e.status = 'pending' and exists (select from unnest($3::text[], $4::boolean[]) as wanted(relation, batched)
    where wanted.relation = e.relation and wanted.batched = e.batched))`;

const insert = (
  of: Portable,
): string => `insert into relation_exports (${OWNER_COLUMNS[of]}, user_id, relation, batched)
  select $1, $2, wanted.relation, wanted.batched from unnest($3::text[], $4::boolean[]) as wanted(relation, batched)
  on conflict do nothing returning id`;

/** Starts the export of all relations of a group or project, replacing earlier ones. */
@Injectable()
export class StartRelationExports {
  constructor(
    private readonly transactions: Transactions,
    private readonly relations: ExportedRelationsService,
    private readonly jobs: Jobs,
    private readonly limiter: RateLimiter,
    private readonly settings: SettingsService,
    private readonly audit: AuditLogService,
  ) {}

  /** Enqueues a job per relation. @throws 404 if the subject was removed, 429 */
  async run(subject: ProjectSubject | GroupSubject, actor: Actor, batched: boolean): Promise<void> {
    const of = subject.kind === 'Group' ? 'group' : 'project';
    await this.admit(`${actor.id}:${of}:${subject.id}`);
    const relations = this.relations.all(of);
    const values = [
      subject.id,
      actor.id,
      relations.map(({ relation }) => relation),
      relations.map(({ isBatchable }) => isBatchable && batched),
    ];
    await this.transactions.run(async (tx) => {
      await lock(tx, subject, TABLES[of]);
      await tx.query(clear(of), values);
      const added = await tx.query<{ id: number }[]>(insert(of), values);
      await this.audit.record(
        tx,
        actor,
        { type: subject.kind, id: subject.id, path: subject.fullPath },
        { type: subject.kind, id: subject.id, details: subject.name },
        { customMessage: 'Started an export of relations', eventName: 'relations_export_started' },
      );
      await this.jobs.enqueueAll(
        tx,
        WriteExportJob,
        added.map(({ id }) => ({ exportId: id, asAdmin: actor.admin })),
      );
    });
  }

  private async admit(key: string): Promise<void> {
    const result = await this.limiter.hit(NAME, key, LIMIT, PERIOD_SECONDS);
    const text = this.settings.values.rate_limiting_response_text;
    if (!result.allowed) throw tooManyRequests(NAME, result, PERIOD_SECONDS, text);
  }
}

/** Locks the subject until the transaction ends, which serializes starts of its exports. */
async function lock(tx: Tx, { kind, id }: ProjectSubject | GroupSubject, table: string): Promise<void> {
  const found = await tx.query<unknown[]>(
    `select 1 from ${table} where id = $1 and not pending_delete for no key update`,
    [id],
  );
  if (found.length === 0) throw notFound(kind);
}
