import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** A successful deployment. */
export interface Shipment {
  readonly deploymentId: number;
  readonly environmentId: number;
  readonly projectId: number;
}

/** In the order of ids, so that two deployments cannot deadlock. */
const insert = (
  condition: string,
): string => `insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id)
  select $1, m.id, $2 from merge_requests m where m.project_id = $3 and m.state = 'merged' and (${condition}) order by m.id
  on conflict do nothing`;

const BY_TARGET = insert('m.target_branch = $4');

const BY_COMMITS = insert(
  'm.merge_commit_sha = any($4::text[]) or m.squash_commit_sha = any($4::text[]) or m.head_sha = any($4::text[])',
);

/** The first deployment counts; merge requests are locked before deployments. */
const NOTE_PRODUCTION = `update merge_requests m set first_deployed_to_production_at = l.finished_at
  from (select x.id, d.finished_at from deployments d join environments e on e.id = d.environment_id and e.tier = 'production'
      join deployment_merge_requests r on r.deployment_id = d.id join merge_requests x on x.id = r.merge_request_id
    where d.id = $1 and d.status = 'success' and x.first_deployed_to_production_at is null order by x.id for no key update of x) l
  where m.id = l.id`;

/** Records which merge requests have been deployed. */
@Injectable()
export class ShippedMergeRequestsService {
  /** Links all merge requests merged to the branch, for the first deployment to an environment. */
  async linkAllMergedTo(
    tx: Tx,
    { deploymentId, environmentId, projectId }: Shipment,
    branch: string,
  ): Promise<void> {
    await tx.query(BY_TARGET, [deploymentId, environmentId, projectId, branch]);
  }

  /** Links the merge requests merged, squashed or fast-forwarded by one of the commits. */
  async linkByCommits(
    tx: Tx,
    { deploymentId, environmentId, projectId }: Shipment,
    commits: readonly string[],
  ): Promise<void> {
    await tx.query(BY_COMMITS, [deploymentId, environmentId, projectId, commits]);
  }

  /** Sets the time of a production deployment on its merge requests. */
  async noteProduction(tx: Tx, deploymentId: number): Promise<void> {
    await tx.query(NOTE_PRODUCTION, [deploymentId]);
  }
}
