import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { Deployment } from '../deployment.entity.js';
import { APPROVAL_STATE_SQL, missingApprovals, type ApprovalState } from './approval-state.js';

const STATE = `select ${APPROVAL_STATE_SQL} as state from deployments d join environments e on e.id = d.environment_id where d.id = $1`;

const NOTHING: ApprovalState = { protected: false, required: 0, rules: [], approvals: [] };

/** Blocks deployments until they are approved. The caller has locked the deployment. */
@Injectable()
export class ApprovalsService {
  /** Returns the facts that decide whether a deployment may proceed. */
  async stateOf(tx: Tx, deploymentId: number): Promise<ApprovalState> {
    const [row] = await tx.query<{ state: ApprovalState }[]>(STATE, [deploymentId]);
    return row?.state ?? NOTHING;
  }

  /** Blocks a deployment that has not begun if approvals are missing. */
  async block(tx: Tx, deployment: Deployment): Promise<void> {
    if (deployment.status !== 'created') return;
    if (missingApprovals(await this.stateOf(tx, deployment.id)) > 0)
      await this.set(tx, deployment, 'blocked');
  }

  /** Blocks or unblocks the deployment as required; returns whether it may proceed. */
  async mayGoOn(tx: Tx, deployment: Deployment): Promise<boolean> {
    if (missingApprovals(await this.stateOf(tx, deployment.id)) === 0) {
      await this.unblock(tx, deployment);
      return true;
    }
    if (deployment.status === 'created') await this.set(tx, deployment, 'blocked');
    return false;
  }

  /** Unblocks a deployment, so that it can be played. */
  async unblock(tx: Tx, deployment: Deployment): Promise<void> {
    if (deployment.status === 'blocked') await this.set(tx, deployment, 'created');
  }

  private async set(tx: Tx, deployment: Deployment, status: 'created' | 'blocked'): Promise<void> {
    await tx.update(Deployment, { id: deployment.id }, { status, updatedAt: () => 'clock_timestamp()' });
    deployment.status = status;
  }
}
