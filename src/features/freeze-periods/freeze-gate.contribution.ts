import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { JobFreezeOverride } from '#core/ci/jobs/freeze-override.params.js';
import { Job } from '#core/ci/jobs/job.entity.js';
import { JobGatesRegistry, type GateVerdict } from '#core/ci/processing/job-gates.registry.js';
import { WaitingJobsService } from '#core/ci/watch/waiting-jobs.service.js';
import { ProjectSettingsChanged } from '#core/projects/settings/project-settings-changed.event.js';
import { FreezeOverridesService } from './freeze-overrides.service.js';
import type { FreezePeriodRow } from './freeze-period.record.js';
import { ENFORCED_PERIODS } from './freeze-periods.queries.js';
import { frozenReason, frozenUntil } from './freeze-status.js';

const PATH = 'select full_path as path from projects where id = $1';

/** Delays deploying jobs until the end of a freeze, if the project enforces it (`decisions.md` 3). */
@Injectable()
export class FreezeGateContribution implements OnModuleInit {
  constructor(
    private readonly gates: JobGatesRegistry,
    private readonly events: DomainEvents,
    private readonly waiting: WaitingJobsService,
    private readonly overrides: FreezeOverridesService,
  ) {}

  onModuleInit(): void {
    // Last, so that other obstacles are visible, and can be resolved, before the end of the freeze.
    this.gates.register((tx, job, override) => this.judge(tx, job, override), 'last');
    this.events.on(ProjectSettingsChanged, async ({ projectId, from, to }, tx) => {
      const ends = from['enforce_freeze_periods'] === true && to['enforce_freeze_periods'] !== true;
      if (ends) await this.waiting.askAgain(tx, projectId);
    });
  }

  private async judge(tx: Tx, job: Job, override: JobFreezeOverride | null): Promise<GateVerdict> {
    const { kind, environment, environmentAction: action, projectId } = job;
    if (kind === 'status' || environment === null || action !== 'start' || job.freezeOverridden)
      return 'pass';
    const until = await frozenUntil(await tx.query<FreezePeriodRow[]>(ENFORCED_PERIODS, [projectId]));
    if (until === null) return 'pass';
    // The last moment still belongs to the freeze.
    if (!override) return { until: new Date(until + 1), reason: frozenReason(until) };
    const [project] = await tx.query<{ path: string }[]>(PATH, [projectId]);
    const scope = { type: 'Project', id: projectId, path: project?.path ?? '' } as const;
    const target = { type: 'Job', id: job.id, details: `${job.name} (${environment})` };
    await this.overrides.allow(tx, override.caller, until, override.reason, scope, target);
    await tx.update(Job, { id: job.id }, { freezeOverridden: true });
    job.freezeOverridden = true;
    return 'pass';
  }
}
