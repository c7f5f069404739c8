import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { isFinished } from '#core/ci/jobs/job-status.js';
import { JobStatusChanged } from '#core/ci/processing/events/job-status-changed.event.js';
import { Environment } from '../environment.entity.js';
import { EnvironmentsService } from '../environments.service.js';
import { STOPPING } from './stop-environments.use-case.js';

/** Follows stop jobs: success stops the environment, any other result leaves it unchanged. */
@Injectable()
export class StoppedByJobsListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly environments: EnvironmentsService,
  ) {}

  onModuleInit(): void {
    this.events.on(JobStatusChanged, (event, tx) => this.follow(event, tx));
  }

  private async follow({ job }: JobStatusChanged, tx: Tx): Promise<void> {
    const { projectId, pipelineId, environment: name, environmentAction: action, status } = job;
    if (action !== 'stop' || name === null || !isFinished(status)) return;
    const environment = await tx.findOne(Environment, {
      where: { projectId, name },
      lock: { mode: 'pessimistic_write' },
    });
    if (!environment) return;
    // One that failed or was canceled matters only if none of another pipeline is stopping the environment.
    const among = status === 'success' ? pipelineId : null;
    const others = await tx.query<unknown[]>(STOPPING, [projectId, name, among]);
    if (others.length > 0) return;
    if (status === 'success') await this.environments.stop(tx, environment);
    else if (environment.state === 'stopping') await this.environments.restart(tx, environment);
  }
}
