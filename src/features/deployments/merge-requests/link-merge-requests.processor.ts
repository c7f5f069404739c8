import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import {
  ShippedMergeRequestsService,
  type Shipment,
} from '#core/merge-requests/pipelines/shipped-merge-requests.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { LinkMergeRequestsJob } from './link-merge-requests.job.js';
import { pickedCommits, shippedCommits } from './shipped-commits.js';

/**
 * A success, and the previous one in its environment. Deployments to folders of environments, which are for
 * testing, ship nothing.
 */
const FIND = `select d.id as "deploymentId", d.environment_id as "environmentId", d.project_id as "projectId", d.ref, d.sha,
    (select p.sha from deployments p where p.environment_id = d.environment_id and p.status = 'success' and p.iid < d.iid
      order by p.environment_id desc, p.status desc, p.iid desc limit 1) as previous
  from deployments d join environments e on e.id = d.environment_id
  where d.id = $1 and d.status = 'success' and (e.environment_type is null or e.tier in ('production', 'staging'))`;

/** Commits per statement. */
const BATCH = 5_000;

interface Row extends Shipment {
  readonly ref: string;
  readonly sha: string;
  /** Null for the first deployment. */
  readonly previous: string | null;
}

/** Links a merge request to an environment only once. */
@Injectable()
export class LinkMergeRequestsProcessor extends JobProcessor<Readonly<{ deploymentId: number }>> {
  readonly job = LinkMergeRequestsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly repositories: RepositoriesService,
    private readonly shipped: ShippedMergeRequestsService,
  ) {
    super();
  }

  async process({ deploymentId }: Readonly<{ deploymentId: number }>, { signal }: JobContext): Promise<void> {
    const row = await this.database.one<Row>(FIND, [deploymentId]);
    if (!row) return;
    if (row.previous === null) {
      await this.transactions.run((tx) => this.shipped.linkAllMergedTo(tx, row, row.ref));
    } else {
      const commits = await this.commitsOf(row, row.previous);
      for (let at = 0; at < commits.length; at += BATCH) {
        signal.throwIfAborted();
        const some = commits.slice(at, at + BATCH);
        await this.transactions.run((tx) => this.shipped.linkByCommits(tx, row, some));
      }
    }
    await this.transactions.run((tx) => this.shipped.noteProduction(tx, deploymentId));
  }

  private async commitsOf({ projectId, sha }: Row, previous: string): Promise<readonly string[]> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository || previous === sha) return [];
    const range = { from: previous, to: sha };
    const commits = await shippedCommits(repository.path, range);
    return [...commits, ...(await pickedCommits(repository.path, range))];
  }
}
