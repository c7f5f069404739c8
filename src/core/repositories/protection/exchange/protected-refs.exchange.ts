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
import { refPatternIn, rightsIn, rightsUserIds } from '../exchange/imported-protection.js';
import { ProtectedRefsImporter, type ImportedProtection } from '../exchange/protected-refs.importer.js';

/** What protected branches and tags have in common between instances. */
@Injectable()
export abstract class ProtectedRefsTransfer implements RelationPipeline<ImportedProtection>, OnModuleInit {
  readonly of = 'project';
  readonly stage = STAGES.project.referred;
  readonly isExtension = false;
  abstract readonly relation: string;
  protected abstract readonly refType: Parameters<ProtectedRefsImporter['load']>[2];
  /** Rights that such a protection has levels for. */
  protected abstract readonly kinds: Parameters<typeof rightsUserIds>[1];
  /** The statement of `sqlExport`. */
  protected abstract readonly statement: string;

  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly refs: ProtectedRefsImporter,
  ) {}

  onModuleInit(): void {
    const relation = { of: this.of, relation: this.relation, batchable: true } as const;
    this.exchanges.registerExport(sqlExport(this.database, relation, this.statement));
    this.exchanges.registerPipeline(this);
  }

  title(record: SourceRecord): string | null {
    return sourceTitle(record, 'name');
  }

  key(record: SourceRecord): string {
    return sourceKey(record, 'name', 'id');
  }

  userIds(record: SourceRecord): number[] {
    return rightsUserIds(record, this.kinds);
  }

  transform(record: SourceRecord, target: ImportTarget): ImportedProtection {
    return {
      name: refPatternIn(record),
      ...this.optionsIn(record),
      ...rightsIn(record, this.kinds, target),
    };
  }

  load(tx: Tx, target: ImportTarget, rows: readonly TransformedRow<ImportedProtection>[]): Promise<number[]> {
    return this.refs.load(
      tx,
      target,
      this.refType,
      rows.map(({ row }) => row),
    );
  }

  /** What is said of the protection beside its levels. */
  protected abstract optionsIn(
    record: SourceRecord,
  ): Pick<ImportedProtection, 'allowForcePush' | 'codeOwnerApprovalRequired'>;
}
