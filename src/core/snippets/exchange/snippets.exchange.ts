import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import type { RelationPipeline, TransformedRow } from '#core/exchange/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { snippetOf, snippetUserIds, type ImportedSnippet } from '../exchange/imported-snippet.js';
import { SnippetsExporter } from '../exchange/snippets.exporter.js';
import { SnippetsImporter } from '../exchange/snippets.importer.js';

/** Snippets of projects between instances. */
@Injectable()
export class SnippetsExchange implements RelationPipeline<ImportedSnippet>, OnModuleInit {
  readonly of = 'project';
  readonly relation = 'snippets';
  readonly stage = STAGES.project.content;
  readonly isExtension = false;

  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly exports: SnippetsExporter,
    private readonly snippets: SnippetsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.registerExport(this.exports);
    this.exchanges.registerPipeline(this);
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
