import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Forbidden, MissingAttribute } from '#kernel/http/errors.js';
import { isoTime } from '#kernel/http/times.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DeploymentChecks, type PlannedDeployment } from '#core/environments/deployment-checks.js';
import { FreezePeriodQueries } from './freeze-periods.queries.js';
import { frozenUntil } from './freeze-status.js';

/** Refuses deployments during a freeze, where a project asks for that (`decisions.md` 3). */
@Injectable()
export class FreezeEnforcement implements OnModuleInit {
  constructor(
    private readonly checks: DeploymentChecks,
    private readonly queries: FreezePeriodQueries,
    private readonly audit: AuditLog,
  ) {}

  onModuleInit(): void {
    this.checks.register((tx, planned) => this.check(tx, planned));
  }

  private async check(tx: Tx, planned: PlannedDeployment): Promise<void> {
    const { project, status, caller, overridesFreeze: override } = planned;
    if (project.settings['enforce_freeze_periods'] !== true) return;
    if (status !== 'running' && status !== 'success') return;
    const until = frozenUntil(await this.queries.ofProject(project.id));
    if (until === null) return;
    if (!override || caller.role < Role.Maintainer)
      throw Forbidden(`Deployments are frozen until ${isoTime(new Date(until))}`);
    if (override.reason === null) throw MissingAttribute('override_reason');
    await this.record(tx, planned, override.reason);
  }

  private async record(
    tx: Tx,
    { project, environment, caller }: PlannedDeployment,
    reason: string,
  ): Promise<void> {
    await this.audit.record(
      tx,
      caller.actor,
      { type: 'Project', id: project.id, path: project.fullPath },
      { type: 'Environment', id: environment.id, details: environment.name },
      {
        customMessage: `Deployed in spite of a freeze period: ${reason}`,
        eventName: 'freeze_period_overridden',
      },
    );
  }
}
