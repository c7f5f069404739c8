import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/exchange/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { sqlExport } from '#core/exchange/sql-export.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import type { ImportedMergeRequest } from '../exchange/imported-merge-request.js';
import { MERGE_REQUESTS_PAGE } from '../exchange/merge-request-json.sql.js';
import { MergeRequestsImporter } from '../exchange/merge-requests.importer.js';
import { mergeRequestOf, mergeRequestUserIds } from '../exchange/read-merge-request.js';

/** Merge requests between instances. */
@Injectable()
export class MergeRequestsExchange implements RelationPipeline<ImportedMergeRequest>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'merge_requests';
  readonly stage = STAGES.project.changes;
  readonly isExtension = false;

  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly mergeRequests: MergeRequestsImporter,
  ) {}

  onModuleInit(): void {
    const relation = { of: this.of, relation: this.relation, batchable: true } as const;
    this.exchanges.registerExport(sqlExport(this.database, relation, MERGE_REQUESTS_PAGE));
    this.exchanges.registerPipeline(this);
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
