import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { InternalIdsService } from '#core/iids/internal-ids.service.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { ExportedRow, Portable, RelationExport } from '#core/exchange/relation-export.js';
import type { RelationPipeline } from '#core/exchange/relation-pipeline.js';
import { sourceKey, sourceTitle } from '#core/exchange/source-key.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import { STAGES } from '#core/exchange/stages.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { milestonePairs } from '../exchange/milestone-json.sql.js';
import { readMilestone, type ImportedMilestone } from '../exchange/read-milestone.js';
import { resolveMilestones } from '../exchange/resolve-milestones.js';

/** An expression orders, so that no plan walks all milestones there are. */
const pageSql = (column: 'project_id' | 'group_id'): string =>
  `select ms.id, json_build_object(${milestonePairs('ms')})::text as json
    from milestones ms where ms.${column} = $1 and ms.id > $2 order by (ms.id + 0) limit $3`;

const PAGES: Readonly<Record<Portable, string>> = {
  project: pageSql('project_id'),
  group: pageSql('group_id'),
};

/** Milestones on their way from one instance to another. */
@Injectable()
export class MilestonesExchange implements OnModuleInit {
  constructor(
    private readonly exchanges: ExchangesRegistry,
    private readonly database: ReadDatabase,
    private readonly iids: InternalIdsService,
  ) {}

  onModuleInit(): void {
    for (const kind of ['project', 'group'] as const) {
      this.exchanges.registerExport(this.exportOf(kind));
      this.exchanges.registerPipeline(this.pipelineOf(kind));
    }
  }

  private exportOf(of: Portable): RelationExport {
    return {
      of,
      relation: 'milestones',
      batchable: true,
      page: (...[ownerId, afterId, limit]) =>
        this.database.long<ExportedRow>(PAGES[of], [ownerId, afterId, limit]),
    };
  }

  private pipelineOf(of: Portable): RelationPipeline<ImportedMilestone> {
    return {
      of,
      relation: 'milestones',
      stage: of === 'project' ? STAGES.project.referred : STAGES.group.basics,
      isExtension: false,
      title: (record) => sourceTitle(record, 'title'),
      key: (record) => sourceKey(record, 'id', 'iid', 'title'),
      userIds: () => [],
      transform,
      load: async (tx, target, rows) => {
        const milestones = rows.map(({ row }) => row);
        const ids = await resolveMilestones(tx, this.iids, target, milestones);
        return milestones.map(({ title }) => ids.get(title) ?? null);
      },
    };
  }
}

/** A number that is said but cannot be kept is refused: others would follow it. */
function transform(record: SourceRecord, target: ImportTarget): ImportedMilestone {
  const milestone = readMilestone(record, target);
  if (milestone.iid === null && (record['iid'] ?? null) !== null) throw new RecordRefused('iid is invalid');
  return milestone;
}
