import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { FailureRows } from '../failure.row.js';
import { TargetLookup } from '../target/target-facts.js';
import { TargetRights } from '../target/target-rights.js';
import { ClaimRelation } from './claim-relation.js';
import { ImportSource } from './import-source.js';
import { RelationRun } from './relation-run.js';

/** Makes runs of relations. */
@Injectable()
export class OpenRelation {
  constructor(
    private readonly claiming: ClaimRelation,
    private readonly sources: ImportSource,
    private readonly transactions: Transactions,
    private readonly targets: TargetLookup,
    private readonly rights: TargetRights,
    private readonly failures: FailureRows,
  ) {}

  /** The run that carries a relation out from now on; null when there is nothing to do. */
  async open(relationId: number, context: JobContext): Promise<RelationRun | null> {
    const claimed = await this.claiming.claim(relationId, context);
    if (!claimed) return null;
    const { transactions, targets, rights, failures } = this;
    const source = this.sources.open(claimed.entity, context.signal);
    return new RelationRun(claimed, context, source, { transactions, targets, rights, failures });
  }
}
