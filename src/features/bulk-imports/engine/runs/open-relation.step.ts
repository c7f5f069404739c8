import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { FailureRows } from '../failure.row.js';
import { ImportLimits } from '../import-limits.js';
import { TargetFinder } from '../target/target.finder.js';
import { TargetPolicy } from '../target/target.policy.js';
import { ClaimRelationStep } from './claim-relation.step.js';
import { ImportSourceService } from './import-source.service.js';
import { RelationRun } from './relation-run.js';

/** Creates runs of relations. */
@Injectable()
export class OpenRelationStep {
  constructor(
    private readonly claiming: ClaimRelationStep,
    private readonly sources: ImportSourceService,
    private readonly transactions: Transactions,
    private readonly targets: TargetFinder,
    private readonly rights: TargetPolicy,
    private readonly failures: FailureRows,
    private readonly limits: ImportLimits,
  ) {}

  /** Returns the run that now owns the relation; null if there is nothing to do. */
  async open(relationId: number, context: JobContext): Promise<RelationRun | null> {
    const claimed = await this.claiming.claim(relationId, context);
    if (!claimed) return null;
    const { transactions, targets, rights, failures, limits } = this;
    const source = this.sources.open(claimed.entity, context.signal);
    return new RelationRun(claimed, context, source, { transactions, targets, rights, failures, limits });
  }
}
