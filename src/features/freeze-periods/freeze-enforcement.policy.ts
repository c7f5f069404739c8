import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import type {
  DeploymentCheckPort,
  PlannedDeployment,
} from '#core/environments/deployments/deployment-check.port.js';
import { FreezeOverridesService } from './freeze-overrides.service.js';
import { FreezePeriodsQueries } from './freeze-periods.queries.js';
import { frozenReason, frozenUntil } from './freeze-status.js';

/** Rejects deployments during a freeze, if the project enforces it (`decisions.md` 3). */
@Injectable()
export class FreezeEnforcementPolicy implements DeploymentCheckPort {
  constructor(
    private readonly queries: FreezePeriodsQueries,
    private readonly overrides: FreezeOverridesService,
  ) {}

  async assertAllowed(tx: Tx, planned: PlannedDeployment): Promise<void> {
    const { project, environment, status, caller, overridesFreeze: override } = planned;
    if (project.settings['enforce_freeze_periods'] !== true) return;
    if (status !== 'running' && status !== 'success') return;
    const until = await frozenUntil(await this.queries.ofProject(project.id));
    if (until === null) return;
    if (!override) throw forbidden(frozenReason(until));
    const scope = { type: 'Project', id: project.id, path: project.fullPath } as const;
    const target = { type: 'Environment', id: environment.id, details: environment.name };
    await this.overrides.allow(tx, caller, until, override.reason, scope, target);
  }
}
