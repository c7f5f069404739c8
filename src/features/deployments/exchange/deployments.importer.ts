import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import { drawIds } from '#core/exchange/draw-ids.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import { ShippedMergeRequestsService } from '#core/merge-requests/pipelines/shipped-merge-requests.service.js';
import type { ImportedDeployment } from '../exchange/imported-deployment.js';
import { KeepDeploymentRefsJob } from '../exchange/keep-deployment-refs.job.js';

const ENVIRONMENTS = `select id, name from environments where project_id = $1 and name = any($2::text[]) order by id for no key update`;

const WRITE = `insert into deployments (id, project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
  select r.id, $1, r.environment, r.iid, r.user_id, r.ref, r.sha, r.tag, r.status, coalesce(r.finished, r.created, now()),
    coalesce(r.created, now()),
    coalesce(r.updated, r.created, now())
  from json_to_recordset($2::json) as r(id bigint, environment bigint, iid bigint, user_id bigint, ref text, sha text, tag boolean, status text,
    finished timestamptz, created timestamptz, updated timestamptz)`;

/** A merge request is shipped to an environment only once. */
const SHIP = `insert into deployment_merge_requests (deployment_id, merge_request_id, environment_id)
  select r.deployment, m.id, r.environment
  from json_to_recordset($2::json) as r(deployment bigint, environment bigint, iid bigint)
    join merge_requests m on m.project_id = $1 and m.iid = r.iid order by m.id, r.deployment on conflict do nothing`;

const APPROVE = `insert into deployment_approvals (deployment_id, user_id, status, comment, created_at, updated_at)
  select r.deployment, r.user_id, r.status, r.comment, coalesce(r.created, now()), coalesce(r.created, now())
  from json_to_recordset($1::json) as r(deployment bigint, user_id bigint, status text, comment text, created timestamptz)`;

interface Written {
  readonly id: number;
  readonly environmentId: number;
  readonly row: ImportedDeployment;
}

/** Imports deployments. */
@Injectable()
export class DeploymentsImporter {
  constructor(
    private readonly iids: InternalIdsService,
    private readonly shipped: ShippedMergeRequestsService,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Inserts deployments under the locks of their environments, as for all changes. @throws RecordRefused if
   * the environment does not exist
   */
  async load(tx: Tx, target: ImportTarget, rows: readonly ImportedDeployment[]): Promise<number[]> {
    const { ownerId: projectId } = target;
    const names = [...new Set(rows.map(({ environment }) => environment))];
    const found = await tx.query<{ id: number; name: string }[]>(ENVIRONMENTS, [projectId, names]);
    const environments = new Map(found.map(({ id, name }) => [name, id]));
    const ids = await drawIds(tx, 'deployments', rows.length);
    const written = rows.map((row, at): Written => {
      const environmentId = environments.get(row.environment);
      if (environmentId === undefined) throw new RecordRefused('The environment does not exist');
      return { id: ids[at] as number, environmentId, row };
    });
    const iids = rows.map(({ iid }) => iid);
    await this.iids.takeMany(tx, projectId, 'deployments', iids);
    await tx.query(WRITE, [projectId, JSON.stringify(written.map(valuesOf))]);
    await this.ship(tx, projectId, written);
    await approve(tx, target, written);
    await this.jobs.enqueue(tx, KeepDeploymentRefsJob, { projectId, iids });
    return ids;
  }

  private async ship(tx: Tx, projectId: number, written: readonly Written[]): Promise<void> {
    const shipping = written.filter(({ row }) => row.mergeRequestIids.length > 0);
    const links = shipping.flatMap(({ id: deployment, environmentId: environment, row }) =>
      row.mergeRequestIids.map((iid) => ({ deployment, environment, iid })),
    );
    if (links.length === 0) return;
    await tx.query(SHIP, [projectId, JSON.stringify(links)]);
    for (const { id, row } of shipping)
      if (row.status === 'success') await this.shipped.noteProduction(tx, id);
  }
}

const valuesOf = ({ id, environmentId, row }: Written): object => ({
  id,
  environment: environmentId,
  iid: row.iid,
  user_id: row.userId,
  ref: row.ref,
  sha: row.sha,
  tag: row.tag,
  status: row.status,
  finished: row.finishedAt,
  created: row.createdAt,
  updated: row.updatedAt,
});

async function approve(tx: Tx, target: ImportTarget, written: readonly Written[]): Promise<void> {
  const approvals = written.flatMap(({ id: deployment, row }) =>
    row.approvals.map(({ userId, status, comment, createdAt }) => ({
      deployment,
      user_id: userId,
      status,
      comment,
      created: createdAt,
    })),
  );
  if (approvals.length > 0) await tx.query(APPROVE, [JSON.stringify(approvals)]);
  for (const { row } of written)
    if (row.strangers > 0)
      await target.report(tx, {
        title: String(row.iid),
        message: `${row.strangers} approvals were left out: their authors are unknown here`,
      });
}
