import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { isFinished } from '#core/ci/jobs/job-status.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { PipelineRemoved } from '#core/ci/processing/pipeline-removed.event.js';
import { PipelineStatusChanged } from '#core/ci/processing/events/pipeline-status-changed.event.js';
import { git } from '#core/repositories/git/git.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { makeRef } from '#core/repositories/refs/make-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { pipelineRef } from '../payload/git-info.js';
import { PrunePipelineRefsJob } from './prune-pipeline-refs.job.js';

/** How long refs are kept after the end, since jobs may be rerun; later the ref is created again. */
export const KEPT_AFTER_END_MS = 86_400_000;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Keeps refs to the commits of running pipelines, also if their branches are deleted: runners fetch these refs. */
@Injectable()
export class PipelineRefsContribution implements OnModuleInit {
  private readonly logger = new Logger(PipelineRefsContribution.name);

  constructor(
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
    private readonly repositories: RepositoriesService,
    private readonly running: RunningPushesService,
  ) {}

  onModuleInit(): void {
    this.events.on(PipelineStatusChanged, async ({ pipeline: { status, projectId } }, tx) => {
      if (!isFinished(status)) return;
      // Slightly later than due, so that it finds this ref too.
      const delayMs = KEPT_AFTER_END_MS + 60_000;
      await this.jobs.enqueue(tx, PrunePipelineRefsJob, { projectId }, { delayMs });
    });
    this.events.on(PipelineRemoved, ({ pipeline: { projectId } }, tx) =>
      this.jobs.enqueue(tx, PrunePipelineRefsJob, { projectId }, { dedupeKey: `${projectId} removed` }),
    );
  }

  /**
   * Ensures that the ref of a pipeline exists. A job whose commit cannot be kept (no repository, or a storage
   * move) is still handed out: its runner finds out whether it can fetch the commit.
   */
  async keep({ id, projectId, sha }: Pipeline): Promise<void> {
    try {
      const repository = await this.repositories.openOrNull(projectRepository(projectId));
      const ref = pipelineRef(id);
      if (!repository || (await exists(join(repository.path, ref)))) return;
      const push = await this.running.begin(repository, null);
      if (push === null) return;
      try {
        const isMade = await makeRef(repository.path, ref, sha);
        if (!isMade) await git(repository.path, ['update-ref', ref, sha]);
      } finally {
        await this.running.cancel(push);
      }
    } catch (error) {
      this.logger.warn(`The commit of pipeline ${id} could not be kept: ${String(error)}`);
    }
  }
}
