import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Jobs } from '#kernel/queue/jobs.js';
import { OWNER_TABLES, type OwnerType } from '../repository-ref.js';
import { RemoveRepositoriesJob } from './remove-repositories.job.js';

/** Delay after which copies left by a concurrent move are removed. */
const SWEEP_AFTER_MS = 15 * 60_000;

/** Pushes and creations of repositories lock these rows too, so that none can start afterwards. */
const LOCK = (type: OwnerType): string =>
  `select id, repository_read_only as moves from ${OWNER_TABLES[type]} where id = any($1::bigint[]) order by id for update`;

const FORGET = `with gone as (delete from repositories where owner_type = $1 and owner_id = any($2::bigint[]) returning owner_id, identity)
  select owner_id as id, coalesce(array_agg(identity) filter (where identity is not null), '{}') as identities from gone group by owner_id order by owner_id`;

/** Removes repositories with their owners. */
@Injectable()
export class RepositoryRemovalService {
  constructor(private readonly jobs: Jobs) {}

  /**
   * Removes all repositories of an owner. Call it in the transaction that removes the owner, before its row
   * is deleted; the folders are removed after the commit.
   */
  remove(tx: Tx, ownerType: OwnerType, ownerId: number): Promise<void> {
    return this.removeAll(tx, ownerType, [ownerId]);
  }

  /**
   * Removes the repositories of several owners of one type. A running push is rejected, or changes a folder
   * that is removed anyway.
   */
  async removeAll(tx: Tx, ownerType: OwnerType, ownerIds: readonly number[]): Promise<void> {
    const owners = await tx.query<{ id: number; moves: boolean }[]>(LOCK(ownerType), [ownerIds]);
    const owning = await tx.query<{ id: number; identities: string[] }[]>(FORGET, [ownerType, ownerIds]);
    const payloads = owning.map(({ id, identities }) => ({ ownerType, ownerId: id, identities }));
    await this.jobs.enqueueAll(tx, RemoveRepositoriesJob, payloads);
    const moving = new Set(owners.filter(({ moves }) => moves).map(({ id }) => id));
    await this.jobs.enqueueAll(
      tx,
      RemoveRepositoriesJob,
      payloads.filter(({ ownerId }) => moving.has(ownerId)),
      { delayMs: SWEEP_AFTER_MS },
    );
  }
}
