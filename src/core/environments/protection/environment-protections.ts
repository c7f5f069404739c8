import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';
import type { Environment } from '../environment.entity.js';
import { keptFromSql } from './protection-sql.js';

/** What of an environment decides how it is protected. */
export type ProtectedPlace = Pick<Environment, 'projectId' | 'name' | 'tier'>;

const KEPT_FROM = `select ${keptFromSql('$1::bigint', '$2::text', '$3::text', '$4::bigint', '$5')} as kept`;

/** Whom environments are kept from. */
@Injectable()
export class EnvironmentProtections {
  /** Whether somebody may deploy: every protection of the environment must name them. */
  mayDeploy(tx: Tx, place: ProtectedPlace, { userId, role }: RightsOf): Promise<boolean> {
    return isOpen(tx, place, userId, role === Role.Admin);
  }

  /** Whether the user (null: nobody) of a job may deploy. */
  mayJobDeploy(tx: Tx, place: ProtectedPlace, userId: number | null): Promise<boolean> {
    return isOpen(tx, place, userId, null);
  }

  /** @throws 403 for whoever may not deploy */
  async assertMayDeploy(tx: Tx, place: ProtectedPlace, by: RightsOf): Promise<void> {
    if (!(await this.mayDeploy(tx, place, by))) throw Forbidden();
  }
}

async function isOpen(
  tx: Tx,
  { projectId, name, tier }: ProtectedPlace,
  userId: number | null,
  isAdmin: boolean | null,
): Promise<boolean> {
  const [row] = await tx.query<{ kept: boolean }[]>(KEPT_FROM, [projectId, name, tier, userId, isAdmin]);
  return row?.kept === false;
}
