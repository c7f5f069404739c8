import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Forbidden } from '#kernel/http/errors.js';
import type { Environment } from '../environment.entity.js';
import { keptFromSql } from './protection-sql.js';

/** What of an environment decides how it is protected. */
export type ProtectedPlace = Pick<Environment, 'projectId' | 'name' | 'tier'>;

const KEPT_FROM = `select ${keptFromSql('$1::bigint', '$2::text', '$3::text', '$4::bigint')} as kept`;

/** Whom environments are kept from. */
@Injectable()
export class EnvironmentProtections {
  /** Whether the user (null: nobody) may deploy: every protection of the environment must name them. */
  async mayDeploy(tx: Tx, place: ProtectedPlace, userId: number | null): Promise<boolean> {
    const { projectId, name, tier } = place;
    const [row] = await tx.query<{ kept: boolean }[]>(KEPT_FROM, [projectId, name, tier, userId]);
    return row?.kept === false;
  }

  /** @throws 403 for whoever may not deploy */
  async assertMayDeploy(tx: Tx, place: ProtectedPlace, userId: number | null): Promise<void> {
    if (!(await this.mayDeploy(tx, place, userId))) throw Forbidden();
  }
}
