import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { DeleteProjectJob, type DeleteProjectPayload } from './delete-project.job.js';
import { ProjectChildrenService } from './project-children.service.js';
import { DeleteProject } from './delete-project.use-case.js';
import { PurgeProjectService } from './purge-project.service.js';

/** Removes a project: first the rows that belong to it, in several transactions, then its own row. */
@Injectable()
export class DeleteProjectProcessor extends JobProcessor<DeleteProjectPayload> {
  readonly job = DeleteProjectJob;

  constructor(
    private readonly transactions: Transactions,
    private readonly deletion: DeleteProject,
    private readonly children: ProjectChildrenService,
    private readonly removal: PurgeProjectService,
  ) {
    super();
  }

  async process(payload: DeleteProjectPayload, { signal }: JobContext): Promise<void> {
    const { projectId } = payload;
    const isDue = await this.transactions.run((tx) => this.deletion.hideIfDue(tx, payload));
    if (!isDue) return;
    await this.children.remove(projectId, signal);
    await this.transactions.run((tx) => this.removal.remove(tx, projectId));
  }
}
