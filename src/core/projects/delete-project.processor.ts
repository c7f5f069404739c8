import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { DeleteProject } from './delete-project.job.js';
import { ProjectChildren } from './project-children.js';
import { ProjectDeletion } from './project-deletion.js';
import { ProjectRemoval } from './project-removal.js';

/** Removes a project: first what belongs to it, a little in each transaction, then its row. */
@Injectable()
export class DeleteProjectProcessor extends JobProcessor<Readonly<{ projectId: number }>> {
  readonly job = DeleteProject;

  constructor(
    private readonly transactions: Transactions,
    private readonly deletion: ProjectDeletion,
    private readonly children: ProjectChildren,
    private readonly removal: ProjectRemoval,
  ) {
    super();
  }

  async process({ projectId }: Readonly<{ projectId: number }>, { signal }: JobContext): Promise<void> {
    const isDue = await this.transactions.run((tx) => this.deletion.hideIfDue(tx, projectId));
    if (!isDue) return;
    await this.children.remove(projectId, signal);
    await this.transactions.run((tx) => this.removal.remove(tx, projectId));
  }
}
