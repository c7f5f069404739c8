import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { issuableUserIds } from '#core/issuables/exchange/read-issuable.js';
import type { ExportedRow } from '#core/exchange/relation-export.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { EPICS_PAGE } from '../exchange/epic-json.sql.js';
import { linkEpics } from '../exchange/link-epics.js';
import { linkParents } from '../exchange/link-parents.js';
import { EpicsImporter } from '../exchange/epics.importer.js';
import { readEpic, type ImportedEpic } from '../exchange/read-epic.js';

/** Epics, which of them stand below which, and which issues belong to them, on their way from one instance to another. */
@Injectable()
export class EpicsExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly epics: EpicsImporter,
  ) {}

  onModuleInit(): void {
    this.exchanges.registerExport({
      of: 'group',
      relation: 'epics',
      batchable: true,
      page: (...values) => this.database.long<ExportedRow>(EPICS_PAGE, values),
    });
    this.exchanges.registerPipeline<ImportedEpic>({
      of: 'group',
      relation: 'epics',
      stage: STAGES.group.content,
      // Only some v4 servers have epics.
      isExtension: true,
      title: (record) => sourceTitle(record, 'title'),
      key: (record) => sourceKey(record, 'id', 'iid'),
      userIds: issuableUserIds,
      transform: readEpic,
      load: (tx, target, rows) =>
        this.epics.load(
          tx,
          target,
          rows.map(({ row }) => row),
        ),
    });
    this.exchanges.registerPart({ of: 'group', relation: 'epics', userIds: () => [], load: linkParents });
    this.exchanges.registerPart({ of: 'project', relation: 'issues', userIds: () => [], load: linkEpics });
  }
}
