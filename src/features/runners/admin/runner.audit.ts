import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import type { Tx } from '#kernel/database/transactions.js';
import {
  AuditLogService,
  INSTANCE_SCOPE,
  type AuditAuthor,
  type AuditScope,
} from '#core/audit/audit-log.service.js';
import type { Runner } from '#core/ci/runners/runner.entity.js';

/** Owner of audit events: for a runner with several projects, the first. */
const OWNER = `select 'Group' as type, g.id, g.full_path as path from ci_runner_groups rg join namespaces g on g.id = rg.group_id
    where rg.runner_id = $1
  union all (select 'Project', p.id, p.full_path from ci_runner_projects rp join projects p on p.id = rp.project_id
    where rp.runner_id = $1 order by p.id limit 1)`;

/** Audits actions of users on runners, in the scope of the owner. */
@Injectable()
export class RunnerAudit {
  constructor(private readonly audit: AuditLogService) {}

  /** Audits an action; call it before the runner is removed. */
  async record(
    tx: Tx,
    author: AuditAuthor,
    runner: Runner,
    message: string,
    eventName: string,
    where?: AuditScope,
  ): Promise<void> {
    const [owner] = where ? [where] : await tx.query<AuditScope[]>(OWNER, [runner.id]);
    const details = runner.description ?? `#${runner.id}`;
    const target = { type: 'Ci::Runner', id: runner.id, details };
    await this.audit.record(tx, author, owner ?? INSTANCE_SCOPE, target, {
      customMessage: message,
      eventName,
    });
  }

  /** Audits the replacement of a registration token. */
  async tokenReset(tx: Tx, actor: Actor, scope: AuditScope): Promise<void> {
    const target = { type: scope.type, id: scope.id, details: scope.path };
    await this.audit.record(tx, actor, scope, target, {
      customMessage: 'Reset the registration token of runners',
      eventName: 'runners_registration_token_reset',
    });
  }
}
