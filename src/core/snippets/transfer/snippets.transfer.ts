import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/transfer/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/transfer/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/transfer/source-key.js';
import type { SourceRecord } from '#core/transfer/source-record.js';
import { STAGES } from '#core/transfer/stages.js';
import { TransfersRegistry } from '#core/transfer/transfers.registry.js';
import { snippetOf, snippetUserIds, type ImportedSnippet } from './imported-snippet.js';
import { SnippetsExporter } from './snippets.exporter.js';
import { SnippetsImporter } from './snippets.importer.js';

/** Snippets of projects between instances. */
@Injectable()
export class SnippetsTransfer implements RelationPipeline<ImportedSnippet>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'snippets';
  readonly stage = STAGES.project.content;
  readonly isExtension = false;

  constructor(
    private readonly transfers: TransfersRegistry,
    private readonly exports: SnippetsExporter,
    private readonly snippets: SnippetsImporter,
  ) {}

  onModuleInit(): void {
    this.transfers.offerExport(this.exports);
    this.transfers.offerPipeline(this);
  }

  title(record: SourceRecord): string | null {
    return sourceTitle(record, 'title');
  }

  key(record: SourceRecord): string {
    return sourceKey(record, 'id');
  }

  userIds(record: SourceRecord): number[] {
    return snippetUserIds(record);
  }

  transform(record: SourceRecord, target: ImportTarget): ImportedSnippet {
    return snippetOf(record, target);
  }

  load(tx: Tx, target: ImportTarget, rows: readonly TransformedRow<ImportedSnippet>[]): Promise<number[]> {
    return this.snippets.load(
      tx,
      target,
      rows.map(({ row }) => row),
    );
  }
}
