import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { Job } from '../jobs/job.entity.js';

/** Callers hold this lock until their job is pending, so that two jobs cannot both find the group free. */
const LOCK = `select pg_advisory_xact_lock(hashtextextended('ci resource group ' || $1::text || ' ' || $2::text, 0))`;

const HOLDER = `select id from ci_jobs where project_id = $1 and resource_group = $2 and status in ('preparing', 'pending', 'running')
  and id <> $3 limit 1`;

const FIRST_WAITING = `select id from ci_jobs where project_id = $1 and resource_group = $2 and status = 'waiting_for_resource'
  order by id limit 1`;

/** Lets only one job of a resource group run at a time in a project. */
@Injectable()
export class ResourceGroupsService {
  /**
   * Locks the resource groups of jobs of one locked pipeline, in the order of their names to avoid deadlocks.
   */
  async lock(tx: Tx, jobs: readonly Job[]): Promise<void> {
    const [first] = jobs;
    const names = new Set(jobs.flatMap(({ resourceGroup }) => resourceGroup ?? []));
    for (const name of [...names].sort()) await tx.query(LOCK, [first?.projectId, name]);
  }

  /** Returns whether another job holds the resource of this job, whose group must be locked. */
  async isTaken(tx: Tx, { id, projectId, resourceGroup }: Job): Promise<boolean> {
    if (resourceGroup === null) return false;
    return (await tx.query<unknown[]>(HOLDER, [projectId, resourceGroup, id])).length > 0;
  }

  /** Returns the job that has waited longest for the resource; null if there is none. */
  async firstWaiting(tx: Tx, projectId: number, group: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }[]>(FIRST_WAITING, [projectId, group]);
    return row?.id ?? null;
  }
}
