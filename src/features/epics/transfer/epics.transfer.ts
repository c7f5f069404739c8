import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { issuableUserIds } from '#core/issuables/transfer/read-issuable.js';
import type { ExportedRow } from '#core/transfer/relation-export.js';
import { sourceKey, sourceTitle } from '#core/transfer/source-key.js';
import { STAGES } from '#core/transfer/stages.js';
import { TransfersRegistry } from '#core/transfer/transfers.registry.js';
import { EPICS_PAGE } from './epic-json.sql.js';
import { linkEpics } from './link-epics.js';
import { linkParents } from './link-parents.js';
import { EpicsImporter } from './epics.importer.js';
import { readEpic, type ImportedEpic } from './read-epic.js';

/** Epics, which of them stand below which, and which issues belong to them, on their way from one instance to another. */
@Injectable()
export class EpicsTransfer implements OnModuleInit {
  constructor(
    private readonly transfers: TransfersRegistry,
    private readonly database: ReadDatabase,
    private readonly epics: EpicsImporter,
  ) {}

  onModuleInit(): void {
    this.transfers.offerExport({
      of: 'group',
      relation: 'epics',
      batchable: true,
      page: (...values) => this.database.long<ExportedRow>(EPICS_PAGE, values),
    });
    this.transfers.offerPipeline<ImportedEpic>({
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
    this.transfers.offerPart({ of: 'group', relation: 'epics', userIds: () => [], load: linkParents });
    this.transfers.offerPart({ of: 'project', relation: 'issues', userIds: () => [], load: linkEpics });
  }
}
