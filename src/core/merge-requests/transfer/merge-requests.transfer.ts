import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/transfer/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/transfer/source-key.js';
import type { SourceRecord } from '#core/transfer/source-record.js';
import { sqlExport } from '#core/transfer/sql-export.js';
import { STAGES } from '#core/transfer/stages.js';
import { TransfersRegistry } from '#core/transfer/transfers.registry.js';
import type { ImportedMergeRequest } from './imported-merge-request.js';
import { MERGE_REQUESTS_PAGE } from './merge-request-json.sql.js';
import { MergeRequestsImporter } from './merge-requests.importer.js';
import { mergeRequestOf, mergeRequestUserIds } from './read-merge-request.js';

/** Merge requests between instances. */
@Injectable()
export class MergeRequestsTransfer implements RelationPipeline<ImportedMergeRequest>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'merge_requests';
  readonly stage = STAGES.project.changes;
  readonly isExtension = false;

  constructor(
    private readonly transfers: TransfersRegistry,
    private readonly database: ReadDatabase,
    private readonly mergeRequests: MergeRequestsImporter,
  ) {}

  onModuleInit(): void {
    const relation = { of: this.of, relation: this.relation, batchable: true } as const;
    this.transfers.offerExport(sqlExport(this.database, relation, MERGE_REQUESTS_PAGE));
    this.transfers.offerPipeline(this);
  }

  title(record: SourceRecord): string | null {
    return sourceTitle(record, 'title', 'iid');
  }

  key(record: SourceRecord): string {
    return sourceKey(record, 'iid');
  }

  userIds(record: SourceRecord): number[] {
    return mergeRequestUserIds(record);
  }

  transform(record: SourceRecord, target: ImportTarget): ImportedMergeRequest {
    return mergeRequestOf(record, target);
  }

  load(
    tx: Tx,
    target: ImportTarget,
    rows: readonly TransformedRow<ImportedMergeRequest>[],
  ): Promise<number[]> {
    return this.mergeRequests.load(
      tx,
      target,
      rows.map(({ row }) => row),
    );
  }
}
