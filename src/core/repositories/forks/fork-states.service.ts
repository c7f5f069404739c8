import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import { ProtectBranch } from '../protection/protect-branch.use-case.js';

const SET = `update projects set settings = settings || jsonb_build_object('import_status', $2::text),
    empty_repo = empty_repo and not $3, last_activity_at = now()
  where id = $1 and settings->>'import_status' = 'scheduled'`;

/** Tracks the import states of forks. */
@Injectable()
export class ForkStatesService {
  constructor(private readonly protection: ProtectBranch) {}

  /** Marks a fork as finished; `branch`: its default branch, null if it has none. */
  async finish(tx: Tx, projectId: number, branch: string | null): Promise<void> {
    await tx.query(SET, [projectId, 'finished', branch !== null]);
    if (branch !== null) await this.protection.run(tx, projectId, branch);
  }

  /** Marks a fork as failed for good. */
  async fail(tx: Tx, projectId: number): Promise<void> {
    await tx.query(SET, [projectId, 'failed', false]);
  }
}
