import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { refPatternIn, rightsIn, rightsUserIds } from '../exchange/imported-protection.js';
import { ProtectedRefsImporter, type ImportedProtection } from '../exchange/protected-refs.importer.js';

/** Shared part of exporting and importing protected branches and tags. */
@Injectable()
export abstract class ProtectedRefsExchange implements OnModuleInit {
  protected abstract readonly relation: string;
  protected abstract readonly refType: Parameters<ProtectedRefsImporter['load']>[2];
  /** Kinds of rights that the protection has levels for. */
  protected abstract readonly kinds: Parameters<typeof rightsUserIds>[1];
  /** SQL statement of a page. */
  protected abstract readonly statement: string;

  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly refs: ProtectedRefsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.register({
      of: 'project',
      relation: this.relation,
      stage: STAGES.project.referred,
      page: this.statement,
      titledBy: ['name'],
      keyedBy: ['name', 'id'],
      userIds: (record) => rightsUserIds(record, this.kinds),
      transform: (record, target): ImportedProtection => ({
        name: refPatternIn(record),
        ...this.optionsIn(record),
        ...rightsIn(record, this.kinds, target),
      }),
      load: (tx, target, rows) => this.refs.load(tx, target, this.refType, rows),
    });
  }

  /** Reads the options besides the levels. */
  protected abstract optionsIn(
    record: SourceRecord,
  ): Pick<ImportedProtection, 'allowForcePush' | 'codeOwnerApprovalRequired'>;
}
