import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Job } from '../jobs/job.entity.js';

/** Whoever asks holds the lock until it has made its job pending, so that two cannot find the same group free. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('ci resource group ' || $1::text || ' ' || $2::text, 0))`;

const HOLDER = `select id from ci_jobs where project_id = $1 and resource_group = $2 and status in ('preparing', 'pending', 'running')
  and id <> $3 limit 1`;

const FIRST_WAITING = `select id from ci_jobs where project_id = $1 and resource_group = $2 and status = 'waiting_for_resource'
  order by id limit 1`;

/** Of the jobs of one resource group in a project, one runs at a time. */
@Injectable()
export class ResourceGroupsService {
  /** Locks the groups of jobs of one pipeline, which is locked; in the order of their names, so that two never wait for each other. */
  async lock(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const [first] = jobs;
    const names = new Set(jobs.flatMap(({ resourceGroup }) => resourceGroup ?? []));
    for (const name of [...names].sort()) await tx.query(LOCK, [first?.projectId, name]);
  }

  /** Whether another job has the resource of this one, whose group is locked. */
  async isTaken(tx: Tx, { id, projectId, resourceGroup }: Job): Promise<boolean> {
    if (resourceGroup === null) return false;
    return (await tx.query<unknown[]>(HOLDER, [projectId, resourceGroup, id])).length > 0;
  }

  /** The job that has waited longest for the resource, or null. */
  async firstWaiting(tx: Tx, projectId: number, group: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }[]>(FIRST_WAITING, [projectId, group]);
    return row?.id ?? null;
  }
}
