import { Injectable } from '@nestjs/common';
import { clock } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { invalid, notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { LOCK_PROJECT } from '#core/projects/writes/lock-project.sql.js';
import { licenseCondition } from './license-condition.js';
import { ManagedLicense } from './managed-license.entity.js';
import type { ApprovalStatus } from './managed-license.record.js';

const MAX_LICENSES = 1_000;

const INSERT = `insert into managed_licenses (project_id, name, approval_status) values ($1, $2, $3)
  on conflict (project_id, lower(name)) do nothing returning id`;

/** Manages software licenses that projects allow or deny. */
@Injectable()
export class ManagedLicensesService {
  constructor(private readonly transactions: Transactions) {}

  /** Adds a license with its status, and returns its id. @throws 400 */
  create(projectId: number, name: string, status: ApprovalStatus): Promise<number> {
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_PROJECT, [projectId]);
      if ((await tx.countBy(ManagedLicense, { projectId })) >= MAX_LICENSES)
        throw invalid({ base: [`a project can have at most ${MAX_LICENSES} licenses`] });
      const [row] = await tx.query<{ id: number }[]>(INSERT, [projectId, name, status]);
      if (!row) throw invalid({ name: ['has already been taken'] });
      return row.id;
    });
  }

  /** Updates the status. @throws 404 */
  update(projectId: number, idOrName: string, approvalStatus: ApprovalStatus): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { id, approvalStatus: former } = await lock(tx, projectId, idOrName);
      if (approvalStatus !== former)
        await tx.update(ManagedLicense, { id }, { approvalStatus, updatedAt: clock });
    });
  }

  /** Removes a license. @throws 404, 412 */
  remove(projectId: number, idOrName: string, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const { id, updatedAt } = await lock(tx, projectId, idOrName);
      unmodified(updatedAt);
      await tx.delete(ManagedLicense, { id });
    });
  }
}

type Locked = Pick<ManagedLicense, 'id' | 'updatedAt' | 'approvalStatus'>;

async function lock(tx: Tx, projectId: number, idOrName: string): Promise<Locked> {
  const { sql, value } = licenseCondition(idOrName);
  const [row] = await tx.query<Locked[]>(
    `select l.id, l.updated_at as "updatedAt", l.approval_status as "approvalStatus" from managed_licenses l where l.project_id = $1 and ${sql} for update`,
    [projectId, value],
  );
  if (!row) throw notFound('Managed License');
  return row;
}
